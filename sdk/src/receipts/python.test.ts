// @module-tag if-touched sdk/ examples/ contract/ zk/src/: Python needs seconds for a proof
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PINNED_SETUPS } from '@svc/zk/setup/pinned-setups';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alterations, BAD, type Case, GOOD } from '../../test/receipt-vectors.js';
import { verifyReceipt } from '../receipts.js';

const SCRIPT = 'examples/verify_receipt.py';
const hasPython = spawnSync('python3', ['-V']).status === 0;
if (!hasPython) console.warn(`python3 is not installed, so ${SCRIPT} was not tested.`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-receipts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function run({ text, options }: Pick<Case, 'text' | 'options'>) {
  const { head, rows, keys = {} } = options;
  const lines = [...((rows ?? []) as Iterable<object>)].map((row) => `${JSON.stringify(row)}\n`);
  const args = [
    write('receipt.json', text),
    ...(head ? ['--head', write('head.json', JSON.stringify(head))] : []),
    ...(rows ? ['--audit', write('export.jsonl', lines.join(''))] : []),
    ...Object.entries(keys).flatMap(([keyId, key]) => ['--key', `${keyId}=${key}`]),
    ...(options.acceptOperatorEnrolment ? ['--accept-operator-enrolment'] : []),
    ...(options.allowDevelopmentKeys ? ['--allow-development-keys'] : []),
  ];
  const { stdout, stderr, status } = spawnSync('python3', [SCRIPT, ...args], { encoding: 'utf8' });
  return { lines: stdout.trimEnd().split('\n'), stderr, status };
}

describe.skipIf(!hasPython)(SCRIPT, () => {
  it.each(GOOD)('prints the same sentences about one $name', async ({ text, options }) => {
    const verdict = await verifyReceipt(text, options);
    if (!verdict.ok) throw new Error(verdict.message);
    const isChecked = verdict.code === 'valid';
    const sentences = [
      ...[...verdict.checked, ...verdict.notChecked, ...verdict.restsOn],
      ...(isChecked ? [] : [expect.stringMatching(/^in_force_unchecked: /)]),
    ];
    const { lines, ...result } = run({ text, options });
    expect(result).toEqual({ stderr: '', status: isChecked ? 0 : 3 });
    expect(lines.slice(-sentences.length)).toEqual(sentences);
    const [asked, ...shown] = lines.slice(0, -sentences.length);
    expect(asked).toContain(
      `asked for this, with the approval ${verdict.statement.approvalId} of the account`,
    );
    expect(shown).toEqual(['│ Pay an invoice', '│ To: Müller & Söhne GmbH', '│ Amount: €1,200.50']);
  });

  it.each(BAD)('refuses $name: $code', ({ text, options, code }) => {
    expect(run({ text, options })).toEqual({
      lines: [expect.stringMatching(`^${code}: `)],
      stderr: '',
      status: 1,
    });
  });

  const sample = alterations().filter((_, at) => at % 61 === 0);
  it.each(sample)('refuses a receipt with another byte in $name, with the code of the SDK', async (each) => {
    const verdict = await verifyReceipt(each.text, each.options);
    const code = verdict.ok ? 'accepted' : verdict.code;
    expect(run(each).lines[0]).toMatch(new RegExp(`^${code}: `));
  });

  it('works on another machine, with the commands of the guide', () => {
    const guide = readFileSync('docs/receipts.md', 'utf8');
    const [pack = '', check = ''] = [...guide.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, code]) => code);
    const archive = join(folder, 'checker.tgz');
    const bash = (cwd: string, code: string) => spawnSync('bash', ['-ec', code], { cwd, encoding: 'utf8' });
    expect(bash('.', pack.replace('checker.tgz', archive)).status).toBe(0);
    const { status, stdout, stderr } = bash(folder, `tar xzf ${archive}\n${check}`);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('It rests on development keys');
  });

  it('pins the keys that the SDK pins', () => {
    const pinned = PINNED_SETUPS.map(
      ({ sha256, setup }) => `"${sha256.vkey}": ("${setup.kind}", ${setup.contributors})`,
    );
    expect(readFileSync(SCRIPT, 'utf8')).toContain(`PINNED = {${pinned.join(', ')}}`);
  });
});
