// An adapter in Node.js without dependencies: the protocol loop, and the words of the protocol
// turned into those of the engine beside it and back.
//
//     oracle check --game hearts -- node examples/adapters/node/adapter.mjs
import { createInterface } from "node:readline";
import { Hand, SEATS, SUITS } from "./hearts.mjs";

// What is claimed is tested, and anything else is never asked.
const reports = ["ok", "legal", "trick", "hand"];
const claim = { ops: ["replay"], reports, start: ["hand", "scores"], max_hands: 1 };
const engine = { name: "small hearts", version: "1", language: "JavaScript" };
const hello = { protocol: 1, engine, games: { hearts: claim } };

const RANKS = "23456789TJQKA";
const write = ({ suit, rank }) => RANKS[rank - 2] + suit[0].toUpperCase();
const PACK = SUITS.flatMap((suit) => [...RANKS].map((_, at) => ({ suit, rank: at + 2 })));
const CARDS = new Map(PACK.map((card) => [write(card), card]));

function legal(hand) {
  if (!hand || hand.over) return {};
  const plays = hand.legal().map((card) => `play ${write(card)}`);
  if (!hand.passing) return { [SEATS.indexOf(hand.turn)]: plays };
  const waiting = SEATS.filter((seat) => !hand.passed[seat]);
  const choice = (seat) => [`pass {3} ${hand.hands[seat].map(write).join(" ")}`];
  return Object.fromEntries(waiting.map((seat) => [SEATS.indexOf(seat), choice(seat)]));
}

function act(hand, scores, action) {
  const [seat, verb, ...words] = action.split(" ");
  const cards = words.map((word) => CARDS.get(word));
  const refused = { ok: false };
  if (!hand || !/^[0-3]$/.test(seat) || cards.includes(undefined)) return refused;
  if (verb === "pass") return { ok: cards.length === 3 && hand.pass(SEATS[seat], cards) };
  const outcome = verb === "play" && cards.length === 1 && hand.play(SEATS[seat], cards[0]);
  if (!outcome) return refused;
  const state = { ok: true };
  if (outcome.trick) state.trick = { winner: SEATS.indexOf(outcome.trick.winner), points: outcome.trick.points };
  if (hand.over) {
    const delta = SEATS.map((each) => hand.score()[each]);
    state.hand = { delta, scores: scores.map((score, at) => score + delta[at]) };
  }
  return state;
}

function replay({ deals, start = {}, actions }) {
  const shift = [1, 3, 2, 0][(start.hand ?? 0) % 4]; // left, right, across, none
  const hands = deals[0]?.hands.map((cards) => cards.split(" ").map((card) => CARDS.get(card)));
  const hand = hands && new Hand(Object.fromEntries(SEATS.map((seat, at) => [seat, hands[at]])), shift);
  const after = (action) => ({ ...act(hand, start.scores ?? [0, 0, 0, 0], action), legal: legal(hand) });
  return { states: [{ legal: legal(hand) }, ...actions.map(after)] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.do === "bye") break;
  const answer = message.do === "hello" ? hello : { ...replay(message), seq: message.seq };
  console.log(JSON.stringify(answer));
}
