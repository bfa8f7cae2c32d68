// CPU time of processes, read from /proc. It depends on load far less than elapsed time does. Only Linux has /proc: elsewhere these
// functions return what Node knows of its own process.
import { readdirSync, readFileSync } from 'node:fs';

/** A tick of /proc. The kernel reports times to programs in hundredths of a second on every architecture that we build for. */
const TICK_SECONDS = 0.01;

/**
 * @typedef {object} Process
 * @property {number} pid
 * @property {number} parent
 * @property {number} seconds its own CPU time, user and system
 * @property {number} childSeconds CPU time of its children that have ended and whose end it has read
 */

/** The processes of this machine that this one may see. @returns {Process[]} */
export function listProcesses() {
  /** @type {string[]} */
  let names;
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
}

/** @returns {Process | undefined} undefined if it has ended */
function readStat(/** @type {number} */ pid) {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** One line of /proc/<pid>/stat (proc(5)). The name of the program is in brackets and may contain brackets and spaces. */
export function parseStat(/** @type {string} */ line) {
  const after = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // The fields after the name begin with the third, `state`.
  const field = (/** @type {number} */ number) => Number(after[number - 3]);
  return {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    seconds: (field(14) + field(15)) * TICK_SECONDS,
    childSeconds: (field(16) + field(17)) * TICK_SECONDS,
  };
}

/** CPU seconds of a process with everything that it started, as far as it has ended or still descends from it. */
export function secondsOf(/** @type {number} */ pid, processes = listProcesses()) {
  const own = processes.find((each) => each.pid === pid);
  if (own === undefined) return pid === process.pid ? ownSeconds() : 0;
  let sum = 0;
  const waiting = [own];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    sum += next.seconds + next.childSeconds;
    const { pid: parent } = next;
    waiting.push(...processes.filter((each) => each.parent === parent));
  }
  return sum;
}

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** CPU seconds of the database sessions whose title contains this text, such as the name of a database. */
export function sessionSeconds(/** @type {string} */ text, processes = listProcesses()) {
  return processes.reduce((sum, { pid, seconds }) => (titleOf(pid).includes(text) ? sum + seconds : sum), 0);
}

/**
 * CPU seconds of a process until now and of each database session whose title contains this text, by process id, to the nanosecond. Only on
 * Linux.
 */
export function exactSeconds(/** @type {number} */ pid, /** @type {string} */ database) {
  const sessions = readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && titleOf(each).includes(database));
  return new Map([pid, ...sessions].map((each) => [each, threadSeconds(each)]));
}

/**
 * What was used between two readings of `exactSeconds`. Sessions that have ended in between do not count: they were idle.
 * @param {ReadonlyMap<number, number>} before
 * @param {ReadonlyMap<number, number>} after
 */
export const secondsBetween = (before, after) =>
  [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);

/** The time of all threads of a process that run now (`schedstat`, in nanoseconds). */
function threadSeconds(/** @type {number} */ pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
      return sum + Number(ns) / 1e9;
    }, 0);
  } catch {
    return 0;
  }
}

function titleOf(/** @type {number} */ pid) {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return title.startsWith('postgres:') ? title : '';
  } catch {
    return '';
  }
}
