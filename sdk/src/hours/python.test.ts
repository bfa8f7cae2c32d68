// @module-tag if-touched sdk/ examples/ contract/ zk/src/: Python needs a second for a file
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BAD, type Case, GOOD } from '../../test/hours-vectors.js';
import { verifyHours } from '../hours.js';

const SCRIPT = 'examples/verify_time.py';
const hasPython = spawnSync('python3', ['-V']).status === 0;
if (!hasPython) console.warn(`python3 is not installed, so ${SCRIPT} was not tested.`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-hours-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function run({ text, options }: Pick<Case, 'text' | 'options'>) {
  const { head, keys = {}, allowDevelopmentKeys } = options;
  const args = [
    write('month.jsonl', text),
    ...(head ? ['--head', write('head.json', JSON.stringify(head))] : []),
    ...Object.entries(keys).flatMap(([keyId, key]) => ['--key', `${keyId}=${key}`]),
    ...(allowDevelopmentKeys ? ['--allow-development-keys'] : []),
  ];
  const { stdout, stderr, status } = spawnSync('python3', [SCRIPT, ...args], { encoding: 'utf8' });
  return { lines: stdout.trimEnd().split('\n'), stderr, status };
}

/** What it prints: the sentences, what is wrong, and the conclusion. */
async function printed({ text, options }: Pick<Case, 'text' | 'options'>): Promise<string[]> {
  const verdict = await verifyHours([text], options);
  if ('code' in verdict) return [`${verdict.code}: ${verdict.message}`];
  const { checked, notChecked, restsOn, findings, conclusion } = verdict;
  const wrong = findings.map(
    ({ code, message, line }) => `${code}: ${message}${line === undefined ? '' : ` (line ${line})`}`,
  );
  return [...checked, ...notChecked, ...restsOn, ...wrong, conclusion];
}

describe.skipIf(!hasPython)(`${SCRIPT} [time/hours-file]`, () => {
  it.each(GOOD)('prints the same sentences about $name', async (each) => {
    expect(run(each)).toEqual({ lines: await printed(each), stderr: '', status: 0 });
  });

  it.each(BAD)('prints the same about $name: $codes', async (each) => {
    expect(run(each)).toEqual({ lines: await printed(each), stderr: '', status: 1 });
  });
});
