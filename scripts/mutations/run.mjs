// Applies each mutation of list.mjs in memory and expects the named test to fail. A guard that can be removed without a failing
// test is not tested.
//
//   npm run test:mutations                      all mutations
//   npm run test:mutations -- --only "a nonce"  those whose name or file contains the text
//   npm run test:mutations -- --changed         those whose file or test has changed (CI)
import { root, setUp } from '../setup.mjs';
import { changedFiles } from '../testing/changed-files.mjs';
import { openPostgres } from '../testing/test-databases.mjs';
import { findMisfits, mutations, testOf, touches } from './list.mjs';

const LANES = 2;

await setUp();
// It imports packages, which a fresh clone does not have before.
const { openLane } = await import('./lane.mjs');
const chosen = choose(process.argv.slice(2));
const misfits = findMisfits(chosen);
for (const misfit of misfits) console.error(misfit);
if (misfits.length > 0) process.exitCode = 1;
else if (chosen.length > 0) process.exitCode = await main();

function choose(/** @type {string[]} */ [flag, text]) {
  if (flag === undefined) return mutations;
  if (flag === '--changed') return chooseChanged();
  const isNamed = (/** @type {import('./list.mjs').Mutation} */ { name, file }) =>
    name.includes(text ?? '') || file.includes(text ?? '');
  const named = flag === '--only' ? mutations.filter(isNamed) : [];
  if (named.length > 0) return named;
  console.error('Usage: npm run test:mutations [-- --only "part of a name or file" | --changed]');
  process.exit(2);
}

function chooseChanged() {
  const changed = changedFiles(root);
  const some = changed === undefined ? mutations : mutations.filter((each) => touches(changed, each));
  console.log(`The change affects ${some.length} of ${mutations.length} mutations.`);
  return some;
}

async function main() {
  const postgres = await openPostgres();
  Object.assign(process.env, postgres.env);
  const lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  try {
    const unproved = await findUnproved(lanes);
    for (const line of unproved) console.error(line);
    return unproved.length > 0 ? 1 : await tryAll(lanes);
  } finally {
    for (const lane of lanes) await lane.close();
    await postgres.close();
  }
}

/** Tests that fail on the unchanged code, or that no file has: a sentence each. Their failure under a mutation would mean nothing. */
async function findUnproved(/** @type {import('./lane.mjs').Lane[]} */ lanes) {
  const started = Date.now();
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  for (const { file, name } of chosen.map(({ test }) => testOf(test)))
    files.set(file, (files.get(file) ?? new Set()).add(name));
  /** @type {string[]} */
  const unproved = [];
  await inLanes([...files], lanes, async ([file, names], lane) => {
    const states = await lane.run(file, [...names]);
    for (const name of names) {
      if (!states.has(name)) unproved.push(`there is no test ${file} > ${name}`);
      else if (states.get(name) !== 'passed') unproved.push(`fails without a mutation: ${file} > ${name}`);
    }
  });
  console.log(`green     ${secondsSince(started)}  unchanged`);
  return unproved;
}

async function tryAll(/** @type {import('./lane.mjs').Lane[]} */ lanes) {
  let survivors = 0;
  await inLanes(chosen, lanes, async (mutation, lane) => {
    const started = Date.now();
    const { file, name } = testOf(mutation.test);
    const states = await lane.run(file, [name], mutation);
    const isRed = states.get(name) === 'failed';
    if (!isRed) survivors += 1;
    const word = isRed ? 'red' : 'SURVIVED';
    console.log(`${word.padEnd(9)} ${secondsSince(started)}  ${mutation.name}  (${mutation.file})`);
  });
  console.log(`\n${chosen.length - survivors} of ${chosen.length} mutations made a test fail.`);
  return survivors === 0 ? 0 : 1;
}

function secondsSince(/** @type {number} */ started) {
  return `${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s`;
}

/**
 * Processes the items, one at a time in each lane.
 * @template T
 * @param {T[]} items @param {import('./lane.mjs').Lane[]} lanes
 * @param {(item: T, lane: import('./lane.mjs').Lane) => Promise<void>} work
 */
async function inLanes(items, lanes, work) {
  const queue = [...items];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, lane);
    }),
  );
}
