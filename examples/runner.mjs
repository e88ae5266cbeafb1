// A runner of one's own, written from docs/interpreting.md and the files alone. It checks everything
// that a case states, so it is for engines that play all four games:
//
//     node examples/runner.mjs vectors -- oracle serve
//
// An engine in this process needs no pipe: put it in place of `ask`, which turns a request into a
// response.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

// Ids of which a runner accepts any for any other.
const GROUPS = `HEARTS-05 R01, HEARTS-06 12, HEARTS-07 10 R06, HEARTS-09 R10, SPADES-20 R08 R10,
  SPADES-24 25, BELOTE-09 R04, BELOTE-12 R16 R18, BELOTE-14 R14, BELOTE-15 16 22 R20, BELOTE-18 R05,
  BELOTE-19 R25 R28, BELOTE-35 36 37, WHIST-12 R05 R06, WHIST-13 17 R07 R09, WHIST-18 R10,
  WHIST-22 R15 R17 R21`;
const GROUP_OF = new Map();
for (const group of GROUPS.split(/,\s*/)) {
  const [first, ...others] = group.split(" ");
  const ids = [first, ...others.map((other) => first.replace(/-.*/, `-${other}`))];
  for (const id of ids) GROUP_OF.set(id, group);
}

// Comparing. A rule says what is wrong with a value, or nothing; `partial` holds for the whole case.
const text = (value) => (value === undefined ? "nothing" : JSON.stringify(value));
const differ = (expected, actual) => `expected ${text(expected)}, and it is ${text(actual)}`;
const as = (form) => (expected, actual) =>
  actual !== undefined && text(form(expected)) === text(form(actual)) ? [] : [differ(expected, actual)];

const sortKeys = (value) =>
  value === null || typeof value !== "object" || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.keys(value).sort().map((key) => [key, sortKeys(value[key])]));
const mapEntries = (object, form) => Object.fromEntries(Object.entries(object).map(form));
const mapValues = (object, form) => mapEntries(object, ([key, value]) => [key, form(value, key)]);
const isCard = (word) => /^([2-9TJQKA][CDHS]|[BR]J)$/.test(word);
const set = (cards) => (typeof cards === "string" ? cards.split(" ").sort().join(" ") : cards);
const clause = (id) => GROUP_OF.get(id) ?? id;

// An action with its set of cards in one order; `words` stay where they are.
function ordered(action) {
  const words = action.split(" ");
  const place = words.findIndex(isCard);
  return place < 0 ? action : [...words.slice(0, place), ...words.slice(place).sort()].join(" ");
}

function* choices(cards, count, from = 0) {
  if (count === 0) yield [];
  else
    for (let at = from; at < cards.length; at++)
      for (const rest of choices(cards, count - 1, at + 1)) yield [cards[at], ...rest];
}

// A list of legal actions as a set, patterns spelt out.
function actions(list) {
  const all = new Set();
  for (const entry of list) {
    const pattern = entry.match(/^(\S+) \{(\d+)(?:-(\d+))?\} (.+)$/);
    if (!pattern) all.add(ordered(entry));
    else
      for (let count = Number(pattern[2]); count <= Number(pattern[3] ?? pattern[2]); count++)
        for (const cards of choices(pattern[4].split(" ").sort(), count))
          all.add([pattern[1], ...cards].join(" "));
  }
  return [...all].sort();
}

const exact = as(sortKeys);
const anyOrder = as((list) => list.map((each) => text(sortKeys(each))).sort());
const record = (each) => sortKeys({ ...each, clause: clause(each.clause), cards: set(each.cards) });
const breakdown = as((lines) => lines.map((line) => text(record(line))).sort());
const combinations = as((list) => list.map(record));
const legal = as((bySeat) => sortKeys(mapValues(bySeat, actions)));
const knownPlace = (cards, place) => (place === "trick" ? cards : set(cards));
const known = as((places) => sortKeys(mapValues(places, knownPlace)));
const divide = as((counts) => sortKeys(mapEntries(counts, ([action, count]) => [ordered(action), count])));
const dealt = (cards, name) => (name === "hands" ? cards.map(set) : name === "kitty" ? set(cards) : cards);
const deal = as((each) => sortKeys(mapValues(each, dealt)));

// An object of which each field has a rule of its own, and every other field is compared exactly.
const object = (rules) => (expected, actual, partial) => {
  if (actual === null || typeof actual !== "object") return [differ(expected, actual)];
  return [...new Set([...Object.keys(rules), ...Object.keys(expected)])].flatMap((name) => {
    const [one, other] = [expected[name], actual[name]];
    if (one === undefined) return partial || other === undefined ? [] : [`${name}: ${differ(one, other)}`];
    return (rules[name] ?? exact)(one, other, partial).map((what) => `${name}: ${what}`);
  });
};
const fields = (...names) => Object.fromEntries(names.map((name) => [name, exact]));
const trick = object({ ...fields("winner", "points"), combinations });
const hand = object({ ...fields("delta", "scores", "bags", "rounds_won"), breakdown });
const match = object({ winners: anyOrder });
const state = object({ ok: exact, clause: as(clause), legal, contract: object({}), trick, hand, match });
const states = (expected, actual, partial) =>
  !Array.isArray(actual) || actual.length !== expected.length
    ? [`${expected.length} states were expected`]
    : expected.flatMap((each, at) => state(each, actual[at], partial).map((what) => `state ${at}: ${what}`));
const RESPONSES = {
  replay: object({ states }),
  score: object({ hand, match }),
  view: object({ hand: as(set), known, unknown: exact, legal: as(actions), stacks: exact }),
  perft: object({ nodes: exact, divide }),
  shuffle: object({ deal }),
};

function compare({ request, response, partial = false }, answer) {
  if ("error" in response) return "error" in answer ? [] : ["a wrong request was not refused"];
  if ("error" in answer) return [`refused: ${answer.error}`];
  return RESPONSES[request.op](response, answer, partial);
}

// The engine, and the run.
const [folder, separator, ...command] = process.argv.slice(2);
if (separator !== "--" || command.length === 0) {
  console.error("usage: node examples/runner.mjs VECTORS -- COMMAND");
  process.exit(2);
}
const engine = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

async function ask(request) {
  engine.stdin.write(JSON.stringify(request) + "\n");
  const { value, done } = await lines.next();
  if (done) throw new Error("the engine has ended");
  return JSON.parse(value);
}

let passed = 0;
let failed = 0;
for (const name of readdirSync(folder, { recursive: true }).sort()) {
  if (!name.includes("/") || !name.endsWith(".json")) continue;
  const file = JSON.parse(readFileSync(join(folder, name), "utf8"));
  if (file.format !== 1) throw new Error(`${name} has format ${file.format}, and this runner reads 1`);
  for (const each of file.cases) {
    const problems = compare(each, await ask(each.request));
    if (problems.length === 0) passed += 1;
    else console.log(`FAIL  ${each.id}  ${each.title}\n  ${problems.slice(0, 3).join("\n  ")}`);
    failed += problems.length > 0;
  }
}
engine.stdin.end();
await once(engine, "close");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
