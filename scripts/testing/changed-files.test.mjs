import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedFiles, lastTested } from './changed-files.mjs';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-changed-'));
  mkdirSync(join(folder, 'docs'));
  git('init', '--quiet', '--initial-branch=main');
  commit('docs/testing.md');
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(/** @type {string[]} */ ...args) {
  const settings = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  return execFileSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Commits the file with this text. @returns the commit */
function commit(/** @type {string} */ file, text = file) {
  writeFileSync(join(folder, file), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', `chore: ${file}`);
  return git('rev-parse', 'HEAD');
}

describe('the files of a change', () => {
  it('are those of the branch, committed or not', () => {
    git('switch', '--quiet', '--create', 'feature');
    commit('a');
    commit('b');
    writeFileSync(join(folder, 'c'), '');
    expect(changedFiles(folder)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('are those since the last long run, on the main branch', () => {
    const tested = commit('a');
    commit(
      'docs/testing.md',
      `| Date | Commit | Result |\n|---|---|---|\n| 2026-11-24 | ${tested} | all passed |\n`,
    );
    commit('b');
    expect(changedFiles(folder)).toEqual(new Set(['docs/testing.md', 'b']));
  });

  it('are unknown on the main branch without a long run', () => {
    commit('a');
    expect(changedFiles(folder)).toBeUndefined();
  });

  it('are unknown if the commit of the long run is not in this history', () => {
    commit('docs/testing.md', '| 2026-11-24 | 0123456 | all passed |\n');
    expect(changedFiles(folder)).toBeUndefined();
  });

  it('are unknown outside of a repository', () => {
    rmSync(join(folder, '.git'), { recursive: true });
    expect(changedFiles(folder)).toBeUndefined();
  });
});

describe('the last tested commit', () => {
  it.each([
    [
      'is that of the last row',
      '| 2026-11-23 | aaaaaaa | all passed |\n| 2026-11-24 | bbbbbbb | all passed |\n',
      'bbbbbbb',
    ],
    [
      'is none if something failed in it',
      '| 2026-11-24 | aaaaaaa | mutations **failed** in 3 min |\n',
      undefined,
    ],
    ['is none if its files were not committed', '| 2026-11-24 | aaaaaaa-dirty | all passed |\n', undefined],
  ])('%s', (_, markdown, expected) => expect(lastTested(markdown)).toBe(expected));
});
