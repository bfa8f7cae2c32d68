// What a change touches: CI leaves out what it cannot affect.
import { execFileSync } from 'node:child_process';

/** The trailer of a commit at which all tests have passed. `.ci/run` says how to write it. */
const TRAILER = 'Whole-Suite: passed';

/**
 * The last commit on which everything passed: the one where this branch left the main branch, or a newer one with the trailer. Undefined
 * if there is no such commit here.
 * @returns {string | undefined}
 */
export function baseCommit(/** @type {string} */ root) {
  const git = (/** @type {string[]} */ ...args) => tryGit(root, args);
  const head = git('rev-parse', 'HEAD');
  // On the main branch itself, only the trailer says what passed.
  const forks = ['origin/main', 'main']
    .map((branch) => git('merge-base', 'HEAD', branch))
    .filter((commit) => commit !== head);
  const passed = git('log', '--max-count=1', '--format=%H', `--grep=^${TRAILER}$`, 'HEAD');
  const distance = (/** @type {string} */ commit) => Number(git('rev-list', '--count', `${commit}..HEAD`));
  const [base] = [...forks, passed]
    .filter((commit) => commit !== undefined && commit !== '')
    .sort((left, right) => distance(left) - distance(right));
  return base;
}

/**
 * The files that differ from that commit. Undefined if it is unknown, or if something was merged since.
 * @returns {Set<string> | undefined}
 */
export function changedFiles(/** @type {string} */ root) {
  const git = (/** @type {string[]} */ ...args) => tryGit(root, args);
  const base = baseCommit(root);
  if (base === undefined || git('rev-list', '--merges', '--max-count=1', `${base}..HEAD`) !== '')
    return undefined;
  const changed = git('diff', '--name-only', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  if (changed === undefined || untracked === undefined) return undefined;
  return new Set(`${changed}\n${untracked}`.split('\n').filter(Boolean));
}

/** Whether the change touches a file or folder. Yes, if the change is unknown. */
export const isTouched = (
  /** @type {Set<string> | undefined} */ changed,
  /** @type {readonly string[]} */ paths,
) => changed === undefined || [...changed].some((file) => paths.some((path) => file.startsWith(path)));

/** What the command prints, or undefined if it fails. */
export function tryGit(/** @type {string} */ root, /** @type {string[]} */ args) {
  try {
    return execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}
