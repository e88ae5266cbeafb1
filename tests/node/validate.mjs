// Reads lines {"schema", "value"} or {"schema", "file"} and answers each with {"valid"}.
// Usage: node validate.mjs FOLDER_OF_SCHEMAS
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Ajv from "ajv/dist/2020.js";

const folder = process.argv[2];
// Strict: a keyword that Ajv doesn't know, or that can have no effect, is an error. The two
// exceptions are ways to write a schema which Ajv only discourages.
const ajv = new Ajv({ strict: true, strictTuples: false, strictRequired: false });
const validators = new Map();
for (const name of readdirSync(folder)) {
  if (name.endsWith(".schema.json")) {
    validators.set(name, ajv.compile(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { schema, file, value } = JSON.parse(line);
  const held = file === undefined ? value : JSON.parse(readFileSync(file, "utf8"));
  console.log(JSON.stringify({ valid: validators.get(`${schema}.schema.json`)(held) }));
}
