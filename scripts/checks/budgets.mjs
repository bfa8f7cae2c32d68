// The budgets: figures that may not grow unnoticed (budgets.json). `.ci/run` measures them and then calls this. It is red if a figure is
// over its limit, if one was not measured or has no budget any more, or if a limit was raised
// without a new reason.
//   node scripts/checks/budgets.mjs [--times <file>]   the output of bash's `times`: what `.ci/run` and its commands have used
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { phoneModuleBytes } from '../packaging/phone-module.mjs';
import { root } from '../setup.mjs';
import { baseCommit, tryGit } from '../testing/changed-files.mjs';
import { driftOf, MAX_DRIFT, quickUsed, sumBy, sumOf } from '../testing/cpu-table.mjs';

/**
 * @typedef {object} Budget a line of budgets.json
 * @property {string} name
 * @property {string} unit
 * @property {number} limit the greatest value that is not red
 * @property {number} measured what it was when the limit was set
 * @property {string} reason why the limit is what it is
 * @property {'cpu'} [depends] what is not judged if the machine changed during the run
 */

/** @typedef {Readonly<Record<string, readonly number[]>>} Measurements by the name of the budget, one for each time that it was measured */

/** @typedef {{ name: string, line: string, isRed: boolean }} Verdict */

/** The second of three, or what at least two of three reach. */
const middle = (/** @type {readonly number[]} */ values) =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) / 2)];

/**
 * A figure is over its budget if two of three measurements are, so the middle one is judged.
 * @param {readonly Budget[]} budgets
 * @param {Measurements} measured
 * @param {boolean} isSteady whether the machine was as fast at the end of the run as at its beginning
 * @returns {Verdict[]}
 */
export function judge(budgets, measured, isSteady) {
  return budgets.map(({ name, unit, limit, depends }) => {
    const value = middle(measured[name] ?? []);
    if (!Number.isFinite(value)) return { name, line: `${name}: not measured`, isRed: true };
    const isOver = value > limit;
    const isJudged = depends !== 'cpu' || isSteady;
    const line = `${name}: ${rounded(value)} ${unit}, limit ${rounded(limit)}`;
    const note = !isJudged ? ' (not judged: the machine changed)' : isOver ? ' EXCEEDED' : '';
    return { name, line: line + note, isRed: isOver && isJudged };
  });
}

const rounded = (/** @type {number} */ value) => Number(value.toPrecision(4)).toString();

/**
 * The budgets whose limit is higher than before, with the same reason.
 * @param {readonly Budget[]} budgets
 * @param {readonly Budget[]} before
 */
export function raisedSilently(budgets, before) {
  return budgets.filter(({ name, limit, reason }) => {
    const was = before.find((each) => each.name === name);
    return was !== undefined && limit > was.limit && reason === was.reason;
  });
}

/**
 * What is measured without a budget, because its line was removed.
 * @param {readonly Budget[]} budgets
 * @param {Measurements} measured
 */
export const withoutBudget = (budgets, measured) =>
  Object.keys(measured).filter((name) => budgets.every((each) => each.name !== name));

/** CPU seconds in the output of bash's `times`: user and system, of the shell and of its children. */
export const secondsIn = (/** @type {string} */ times) =>
  [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );

/** What a command wrote to .build. */
const built = (/** @type {string} */ name) => {
  const path = join(root, '.build', name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

/**
 * The CPU of the tests in calibrations.
 * @param {{ calibration: { before: number, after: number }, used: import('../testing/cpu-table.mjs').Used[] }} cpu
 * @param {number | undefined} wholeSeconds of `.ci/run`, without the database
 * @returns {Measurements}
 */
function ofTests({ calibration, used }, wholeSeconds) {
  const unit = (calibration.before + calibration.after) / 2;
  const quick = quickUsed(used);
  const total = sumOf(quick);
  const [[, dearest] = ['', 0]] = sumBy(quick, 'feature');
  const database = used.reduce((sum, one) => sum + one.database, 0);
  return {
    'quick suite': [total / unit],
    'dearest feature of the quick suite': [(100 * dearest) / total],
    ...(wholeSeconds !== undefined && { '.ci/run': [(wholeSeconds + database) / unit] }),
  };
}

/** @returns {Measurements} */
function ofPages(
  /** @type {{ bytes: Record<string, number>, scripts: Record<string, number> }} */ { bytes, scripts },
) {
  const largest = (/** @type {Record<string, number>} */ sizes, /** @type {RegExp} */ names) =>
    Math.max(...Object.entries(sizes).flatMap(([name, size]) => (names.test(name) ? size : [])));
  return {
    'largest entry page': [largest(scripts, /^(dashboard\/(?!index)|desk|sign-in)/)],
    'largest page of the dashboard': [largest(bytes, /^src\/dashboard\//)],
    'phone page': [largest(bytes, /^phone\//)],
  };
}

/** Repeats the benchmark while a figure of it is over its budget, up to three measurements. @returns {Measurements} */
function ofRequests(/** @type {readonly Budget[]} */ budgets) {
  /** @type {Record<string, number[]>} */
  const measured = {};
  for (let time = 0; time < 3; time++) {
    if (time > 0) spawnSync('npm', ['run', '--silent', 'bench:budget'], { cwd: root, stdio: 'inherit' });
    for (const [name, value] of Object.entries(built('bench.json') ?? {}))
      measured[name] = [...(measured[name] ?? []), typeof value === 'number' ? value : Number.NaN];
    const isOver = budgets.some(({ name, limit }) => (measured[name]?.[0] ?? 0) > limit);
    if (!isOver) break;
  }
  return measured;
}

async function main() {
  /** @type {{ budgets: Budget[] }} */
  const { budgets } = JSON.parse(readFileSync(join(root, 'budgets.json'), 'utf8'));
  const base = baseCommit(root);
  const before = base && tryGit(root, ['show', `${base}:budgets.json`]);
  const raised = before ? raisedSilently(budgets, JSON.parse(before).budgets) : [];
  const times = process.argv.indexOf('--times');
  const whole = times > 0 ? secondsIn(readFileSync(process.argv[times + 1], 'utf8')) : undefined;
  const cpu = built('cpu.json');
  const isSteady = cpu !== undefined && driftOf(cpu.calibration) <= MAX_DRIFT;
  const measured = {
    ...(cpu && ofTests(cpu, whole)),
    ...ofRequests(budgets),
    ...ofPages(built('pages.json') ?? { bytes: {}, scripts: {} }),
    'phone module': [await phoneModuleBytes()],
  };
  const verdicts = judge(budgets, measured, isSteady);
  for (const { line } of verdicts) console.log(line);
  for (const { name } of raised) console.error(`${name}: its limit was raised, so its reason must say why.`);
  const unlimited = withoutBudget(budgets, measured);
  for (const name of unlimited) console.error(`${name}: measured, but not in budgets.json.`);
  if (process.platform !== 'linux')
    return console.log('CPU is measured on Linux alone, so nothing is judged here.');
  if (raised.length + unlimited.length > 0 || verdicts.some(({ isRed }) => isRed)) process.exitCode = 1;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
