import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { briefly, takeOver } from './file-lock.js';

/** No process has this id. */
const KILLED = '4194305';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  lock = join(folder, 'phone.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the lock of a phone’s file [phones/which-secret-works]', () => {
  it.each([
    ['of a killed command', KILLED],
    ['of a killed command with a start time', `${KILLED} 100 a`],
    ['of a command whose id another process has now', `${process.pid} 1 a`],
    ['that is empty', ''],
    ['with other text', '{}'],
  ])('is taken over from one %s, and nothing is left behind', (_, text) => {
    // Without `/proc` the start of a process is not known.
    if (process.platform !== 'linux' && text.includes(' 1 ')) return;
    writeFileSync(lock, text);
    expect(briefly(lock, () => readFileSync(lock, 'utf8'))).toMatch(new RegExp(`^${process.pid} `));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stays with the command that took it over, also from another one that judged it at the same moment', () => {
    writeFileSync(lock, KILLED);
    // Both have read the killed one's text.
    const release = takeOver(lock, KILLED);
    const own = readFileSync(lock, 'utf8');
    expect(takeOver(lock, KILLED)).toBeUndefined();
    expect(readFileSync(lock, 'utf8')).toBe(own);
    release?.();
    expect(takeOver(lock, KILLED)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over if a command was killed while it took it over', () => {
    writeFileSync(lock, KILLED);
    const files: string[] = [];
    briefly(lock, () => files.push(...readdirSync(folder)));
    expect(files).toEqual(['phone.lock']);
    writeFileSync(lock, KILLED);
    // The first 16 digits of the text's SHA-256.
    writeFileSync(`${lock}.1804db60cf3a0e5d`, KILLED);
    expect(briefly(lock, () => 'run')).toBe('run');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a command that runs is not taken over, and is released by its owner only', () => {
    briefly(lock, () => {
      const own = readFileSync(lock, 'utf8');
      expect(own.split(' ')[0]).toBe(String(process.pid));
      // Deleted by hand, and taken by another command.
      writeFileSync(lock, `${process.ppid}`);
    });
    expect(readFileSync(lock, 'utf8')).toBe(String(process.ppid));
  });
});
