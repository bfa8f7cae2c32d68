// What a run of tests used, by feature and by file: the table at its end, and .build/cpu.json for the budgets.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesWith, leftOut } from './tags.mjs';

/** Files and features that the table lists. */
const SHOWN = 12;
/** Two calibrations of a run that differ by more say that the machine changed in between. */
export const MAX_DRIFT = 0.1;

/**
 * @typedef {object} Note what cpu-setup.mjs writes
 * @property {number} worker
 * @property {number} at
 * @property {'begin' | 'end' | 'begin ci' | 'end ci'} when of the file, or of one test with the tag `ci`
 * @property {string} project
 * @property {string} file
 * @property {number} test CPU seconds of the worker so far, with the programs and browsers that it started
 * @property {number} database CPU seconds of its database sessions so far
 */

/**
 * @typedef {object} Used CPU seconds
 * @property {string} project
 * @property {string} file
 * @property {string} feature
 * @property {number} test
 * @property {number} database
 * @property {number} seconds both together
 * @property {number} ci of `seconds`, those of tests with the tag `ci`
 */

/** @returns {Used[]} what each file used, the dearest first */
export function usedByFile(/** @type {readonly Note[]} */ notes, /** @type {string} */ root) {
  const begun = new Map();
  const ci = new Map();
  /** @type {Used[]} */
  const used = [];
  for (const note of notes) {
    const { worker, project, file, when } = note;
    const key = `${worker} ${project} ${file}`;
    const begin = when.startsWith('begin') ? when : when.replace('end', 'begin');
    if (begin === when) {
      begun.set(`${key} ${begin}`, note);
      continue;
    }
    const first = begun.get(`${key} ${begin}`);
    if (first === undefined) continue;
    const test = note.test - first.test;
    // Sessions that ended take their time with them.
    const database = Math.max(0, note.database - first.database);
    const seconds = test + database;
    if (when === 'end ci') {
      ci.set(key, (ci.get(key) ?? 0) + seconds);
      continue;
    }
    const path = relative(root, file).replaceAll('\\', '/');
    used.push({
      project,
      file: path,
      feature: featureOf(path),
      test,
      database,
      seconds,
      ci: ci.get(key) ?? 0,
    });
  }
  return used.sort((left, right) => right.seconds - left.seconds);
}

/** The folder that says what a test is about: `server/test/pairing`, `server/src/features/pairing`, `console/test/pair`, or else the package. */
export function featureOf(/** @type {string} */ path) {
  const steps = path.split('/').slice(0, -1);
  const [first = '', second, third, fourth] = steps;
  if (first === 'server' && second === 'src' && third === 'features' && fourth) return fourth;
  if (first === 'server' && second === 'src') return `server/${third ?? 'src'}`;
  if (first === 'server' && third) return third;
  if (first === 'console' && second === 'test') return `pages/${third ?? 'console'}`;
  return first;
}

/** Sums by a field, the greatest first. @returns {[string, number][]} */
export function sumBy(/** @type {readonly Used[]} */ used, /** @type {'feature' | 'project'} */ field) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const one of used) sums.set(one[field], (sums.get(one[field]) ?? 0) + one.seconds);
  return [...sums].sort(([, left], [, right]) => right - left);
}

export const sumOf = (/** @type {readonly Used[]} */ used) =>
  used.reduce((sum, { seconds }) => sum + seconds, 0);

/** How much the calibrations differ, 0.1 for a tenth. */
export const driftOf = (/** @type {{ before: number, after: number }} */ { before, after }) =>
  Math.abs(before - after) / Math.min(before, after);

/** What the quick suite would have used of a larger one. @returns {Used[]} */
export function quickUsed(/** @type {readonly Used[]} */ used) {
  const late = new Set(leftOut('quick'));
  const lateEmbedded = new Set(filesWith('embedded-ci'));
  return used
    .filter(({ file, project }) => !late.has(file) && !(project === 'pglite' && lateEmbedded.has(file)))
    .map((one) => ({ ...one, seconds: one.seconds - one.ci, ci: 0 }));
}

/** @returns {Note[]} */
export const readNotes = (/** @type {string} */ path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/**
 * @param {readonly Used[]} used
 * @param {{ before: number, after: number }} calibration in seconds
 * @returns {string[]}
 */
export function tableLines(used, calibration) {
  const { before, after } = calibration;
  const total = sumOf(used);
  const database = used.reduce((sum, one) => sum + one.database, 0);
  const unit = (before + after) / 2;
  const drift = driftOf(calibration);
  const row = (/** @type {number} */ seconds, /** @type {string} */ name) =>
    `${seconds.toFixed(1).padStart(8)} s ${((100 * seconds) / total).toFixed(1).padStart(5)} %  ${name}`;
  return [
    `CPU of the tests: ${total.toFixed(0)} s, of which the database ${database.toFixed(0)} s; ${(total / unit).toFixed(0)} times the calibration (${before.toFixed(3)} s before, ${after.toFixed(3)} s after)`,
    ...(drift > MAX_DRIFT
      ? [`The calibrations differ by ${(100 * drift).toFixed(0)} %: no budget is judged by this run.`]
      : []),
    'By feature:',
    ...sumBy(used, 'feature')
      .slice(0, SHOWN)
      .map(([name, seconds]) => row(seconds, name)),
    'By file:',
    ...used.slice(0, SHOWN).map(({ seconds, file, project }) => row(seconds, `${file} (${project})`)),
  ];
}
