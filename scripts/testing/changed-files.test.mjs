import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedFiles } from './changed-files.mjs';

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

const passed = () =>
  git(
    'commit',
    '--quiet',
    '--allow-empty',
    '--message',
    'test: everything passed',
    '--trailer',
    'Whole-Suite: passed',
  );

describe('the files of a change', () => {
  it('are those of the branch, committed or not', { tags: ['ci'] }, () => {
    git('switch', '--quiet', '--create', 'feature');
    commit('a');
    commit('b');
    writeFileSync(join(folder, 'c'), '');
    expect(changedFiles(folder)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('are those since the newest commit at which everything passed, on the main branch', {
    tags: ['ci'],
  }, () => {
    commit('a');
    passed();
    commit('b');
    passed();
    commit('c');
    expect(changedFiles(folder)).toEqual(new Set(['c']));
  });

  it('are those since everything passed on the branch', { tags: ['ci'] }, () => {
    git('switch', '--quiet', '--create', 'feature');
    commit('a');
    passed();
    commit('b');
    expect(changedFiles(folder)).toEqual(new Set(['b']));
  });

  it('are none right after everything passed', { tags: ['ci'] }, () => {
    commit('a');
    passed();
    expect(changedFiles(folder)).toEqual(new Set());
  });

  it('are unknown on the main branch if no commit says that everything passed', { tags: ['ci'] }, () => {
    commit('a');
    git('commit', '--quiet', '--allow-empty', '--message', 'docs: what Whole-Suite: passed means');
    expect(changedFiles(folder)).toBeUndefined();
  });

  it('are unknown if the commit at which everything passed was rebased away', { tags: ['ci'] }, () => {
    git('switch', '--quiet', '--detach');
    passed();
    git('switch', '--quiet', 'main');
    commit('a');
    expect(changedFiles(folder)).toBeUndefined();
  });

  it('are unknown if something was merged since', { tags: ['ci'] }, () => {
    passed();
    git('switch', '--quiet', '--create', 'feature');
    commit('a');
    git('switch', '--quiet', 'main');
    commit('b');
    git('merge', '--quiet', '--no-edit', 'feature');
    git('branch', '--quiet', '--delete', 'feature');
    expect(changedFiles(folder)).toBeUndefined();
  });

  it('are unknown outside of a repository', { tags: ['ci'] }, () => {
    rmSync(join(folder, '.git'), { recursive: true });
    expect(changedFiles(folder)).toBeUndefined();
  });
});
