// Checking receipts offline: those of docs/vectors, one after another. Needs a build. BENCH_CHECKS=<n> of each.
import { readFileSync } from 'node:fs';
import { verifyReceipt } from '../../sdk/dist/receipts.js';
import { median, size } from '../harness.mjs';

const CHECKS = size('CHECKS', 50);
const PROMISED_MS = 50;

const read = (name) => readFileSync(new URL(`../../docs/vectors/${name}`, import.meta.url), 'utf8');
const exported = read('receipts-export.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const proofsOf = ({ decisions }) =>
  decisions.flatMap(({ enrolment }) => [1, ...enrolment.filter(({ authorization }) => authorization)]).length;

async function check(text, options) {
  const started = performance.now();
  const verdict = await verifyReceipt(text, options);
  if (!verdict.ok) throw new Error(verdict.message);
  return performance.now() - started;
}

const results = [];
for (const { name, receipt, options } of JSON.parse(read('receipts.json')).good) {
  const rows = options.rows === 'export' ? exported : options.rows;
  const given = { ...options, rows };
  const text = JSON.stringify(receipt);
  const first = await check(text, given);
  const times = [];
  for (let n = 0; n < CHECKS; n++) times.push(await check(text, given));
  results.push({
    receipt: name,
    proofs: proofsOf(receipt),
    exported: rows?.length ?? 0,
    first,
    lowest: Math.min(...times),
    middle: median(times),
  });
}
console.log(
  `Checking a receipt offline, in ms: first includes what is prepared once. Promised: ${PROMISED_MS}`,
);
console.table(
  results.map(({ first, lowest, middle, ...result }) => ({
    ...result,
    first: first.toFixed(1),
    lowest: lowest.toFixed(1),
    median: middle.toFixed(1),
  })),
);
if (results.some(({ middle }) => middle > PROMISED_MS)) process.exitCode = 1;
