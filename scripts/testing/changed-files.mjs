// What a change touches: CI leaves out what it cannot affect.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The files that differ from the last commit on which everything passed: on a branch, the commit where it left the main branch; on
 * the main branch, the commit of the last row in docs/testing.md. Undefined if there is no such commit here.
 * @returns {Set<string> | undefined}
 */
export function changedFiles(/** @type {string} */ root) {
  const git = (/** @type {string[]} */ ...args) => tryGit(root, args);
  const head = git('rev-parse', 'HEAD');
  const forks = ['origin/main', 'main'].map((branch) => git('merge-base', 'HEAD', branch));
  const tested = lastTested(readFileSync(join(root, 'docs', 'testing.md'), 'utf8'));
  const isBefore = (/** @type {string} */ commit) =>
    git('merge-base', '--is-ancestor', commit, 'HEAD') === '';
  const base = [...forks, tested].find((commit) => commit && commit !== head && isBefore(commit));
  const changed = base && git('diff', '--name-only', base);
  const untracked = git('ls-files', '--others', '--exclude-standard');
  if (changed === undefined || untracked === undefined) return undefined;
  return new Set(`${changed}\n${untracked}`.split('\n').filter(Boolean));
}

/** Whether the change touches a file or folder. Yes, if the change is unknown. */
export const isTouched = (
  /** @type {Set<string> | undefined} */ changed,
  /** @type {readonly string[]} */ paths,
) => changed === undefined || [...changed].some((file) => paths.some((path) => file.startsWith(path)));

/** The commit of the table's last row. Undefined if something failed in that run. */
export function lastTested(/** @type {string} */ markdown) {
  const rows = [...markdown.matchAll(/^\| \d{4}-\d\d-\d\d \| ([0-9a-f]{7,40}) \| (.*) \|$/gm)];
  const [, commit, result] = rows.at(-1) ?? [];
  return result?.includes('failed') ? undefined : commit;
}

/** What the command prints, or undefined if it fails. */
function tryGit(/** @type {string} */ root, /** @type {string[]} */ args) {
  try {
    return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}
