// A small engine: one hand of Hearts, from the pass to the score. It has its own cards and seats.

export const SUITS = ["clubs", "diamonds", "hearts", "spades"];
export const SEATS = ["south", "west", "north", "east"]; // clockwise

const same = (one, other) => one.suit === other.suit && one.rank === other.rank;
const isQueen = (card) => card.suit === "spades" && card.rank === 12;
const isPenalty = (card) => card.suit === "hearts" || isQueen(card);
const points = (card) => (isQueen(card) ? 13 : card.suit === "hearts" ? 1 : 0);

export class Hand {
  // hands: by seat, lists of {suit, rank}, rank from 2 to 14; shift: how many seats on cards go.
  constructor(hands, shift) {
    this.hands = hands;
    this.shift = shift;
    this.passed = {};
    this.trick = [];
    this.tricks = 0;
    this.broken = false;
    this.taken = Object.fromEntries(SEATS.map((seat) => [seat, 0]));
    if (!this.passing) this.begin();
  }

  get passing() {
    return this.shift > 0 && Object.keys(this.passed).length < 4;
  }

  get over() {
    return this.tricks === 13;
  }

  begin() {
    const opens = (card) => card.suit === "clubs" && card.rank === 2;
    this.turn = SEATS.find((seat) => this.hands[seat].some(opens));
  }

  pass(seat, cards) {
    const held = cards.filter((card) => this.hands[seat].some((each) => same(each, card)));
    const twice = cards.some((card, at) => cards.findIndex((each) => same(each, card)) !== at);
    if (!this.passing || this.passed[seat] || held.length !== 3 || twice) return false;
    this.passed[seat] = cards;
    if (this.passing) return true;
    for (const giver of SEATS)
      this.hands[giver] = this.hands[giver].filter((card) => !this.passed[giver].some((each) => same(each, card)));
    SEATS.forEach((giver, at) => this.hands[SEATS[(at + this.shift) % 4]].push(...this.passed[giver]));
    this.begin();
    return true;
  }

  legal() {
    if (this.passing || this.over) return [];
    const hand = this.hands[this.turn];
    if (this.trick.length === 0) {
      if (this.tricks === 0) return hand.filter((card) => card.suit === "clubs" && card.rank === 2);
      const others = hand.filter((card) => card.suit !== "hearts");
      return this.broken || others.length === 0 ? hand : others;
    }
    const following = hand.filter((card) => card.suit === this.trick[0].card.suit);
    if (following.length > 0) return following;
    const harmless = hand.filter((card) => !isPenalty(card));
    return this.tricks === 0 && harmless.length > 0 ? harmless : hand;
  }

  // Plays a card; null if it may not be played, else what came of it.
  play(seat, card) {
    if (seat !== this.turn || !this.legal().some((each) => same(each, card))) return null;
    this.hands[seat] = this.hands[seat].filter((each) => !same(each, card));
    this.trick.push({ seat, card });
    this.broken ||= card.suit === "hearts";
    this.turn = SEATS[(SEATS.indexOf(seat) + 1) % 4];
    return this.trick.length === 4 ? { trick: this.endTrick() } : {};
  }

  endTrick() {
    const led = this.trick[0].card.suit;
    const following = this.trick.filter(({ card }) => card.suit === led);
    const best = following.reduce((one, other) => (other.card.rank > one.card.rank ? other : one));
    const sum = this.trick.reduce((all, { card }) => all + points(card), 0);
    this.taken[best.seat] += sum;
    this.turn = best.seat;
    this.trick = [];
    this.tricks += 1;
    return { winner: best.seat, points: sum };
  }

  score() {
    const moon = Object.values(this.taken).includes(26);
    return Object.fromEntries(SEATS.map((seat) => [seat, moon ? 26 - this.taken[seat] : this.taken[seat]]));
  }
}
