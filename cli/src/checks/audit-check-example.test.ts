// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: compares the example in Python with our own check
// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../../server/src/base/crypto/keyring.js';
import { genesisHash, signHead } from '../../../server/src/ledger/audit-chain.js';

const script = fileURLToPath(new URL('../../../examples/audit-check.py', import.meta.url));
/** Six rows as the service writes them, which audit-verify.test.ts checks. */
const vector = fileURLToPath(new URL('../../../docs/vectors/audit-export.jsonl', import.meta.url));

/** The exit code and the output. */
function python(...args: string[]): { code: number | null; output: string } {
  const { error, status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  if (error) throw new Error(`python3, which the example needs, cannot be run: ${error.message}`);
  return { code: status, output: stdout + stderr };
}

describe('examples/audit-check.py', () => {
  const lines = readFileSync(vector, 'utf8').trimEnd().split('\n');
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-audit-check-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function check(text: string, ...args: string[]) {
    const file = join(folder, 'export.jsonl');
    writeFileSync(file, text);
    return python(script, file, ...args);
  }
  const checkLines = (of: readonly string[], ...args: string[]) =>
    check(of.map((line) => `${line}\n`).join(''), ...args);

  const headOf = (of: readonly string[]) => JSON.parse(of.at(-1)!).head;
  const withHead = (change: object) =>
    lines.with(-1, JSON.stringify({ environment: 'live', head: { ...headOf(lines), ...change } }));

  it('accepts the published export, signature included', async () => {
    const { publicKey } = headOf(lines);
    const valid = {
      code: 0,
      output: expect.stringMatching(/^The chain is valid: 6 rows, .* signature are correct/),
    };
    expect(checkLines(lines)).toEqual(valid);
    expect(checkLines(lines, publicKey)).toEqual(valid);
  });

  it.each<[string, (of: string[]) => string[], RegExp]>([
    [
      'an altered field',
      (of) => of.with(2, of[2]!.replace('success', 'failure')),
      /line 3: row 3 was altered/,
    ],
    ['an added field', (of) => of.with(1, of[1]!.replace('{', '{"note":1.5,')), /line 2: row 2 was altered/],
    ['a field named twice', (of) => of.with(1, of[1]!.replace('{', '{"seq":2,')), /line 2 is not JSON/],
    ['a removed row', (of) => of.toSpliced(1, 1), /line 2: the row has sequence 3, not 2/],
    ['two swapped rows', (of) => of.with(1, of[2]!).with(2, of[1]!), /line 2: the row has sequence 3/],
    ['a row after the head', (of) => [...of, of[0]!], /line 8 comes after the head/],
    ['a line that is not a row', (of) => of.with(1, '[]'), /line 2 is not a row/],
    [
      'half a surrogate pair',
      (of) => of.with(1, of[1]!.replace('{', '{"note":"\\ud800",')),
      /half a character/,
    ],
    ['100,000 nested objects', (of) => of.with(1, '{"a":'.repeat(100_000)), /line 2 is not JSON/],
  ])('finds %s, and names the line', (_, change, fault) => {
    expect(checkLines(change(lines))).toEqual({ code: 1, output: expect.stringMatching(fault) });
  });

  it('finds an export that was cut off: in a row, before its head, before its last row, or empty', () => {
    expect(check(lines.join('\n').slice(0, -200))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/cut off/),
    });
    expect(checkLines(lines.slice(0, -1))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/cut off: it has no head/),
    });
    expect(checkLines(lines.toSpliced(-2, 1))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/counts 6 rows/),
    });
    expect(check('')).toMatchObject({ code: 1, output: expect.stringMatching(/cut off/) });
    expect(check('{'.repeat(2 << 20))).toMatchObject({
      code: 1,
      output: expect.stringMatching(/longer than any row/),
    });
  });

  it('finds a head that was altered or signed with another key', () => {
    const { tenantId, signature, at, seq, hash } = headOf(lines);
    const flipped = (Number.parseInt(signature.slice(0, 2), 16) ^ 1).toString(16).padStart(2, '0');
    for (const [change, fault] of [
      [{ signature: flipped + signature.slice(2) }, /signature is wrong/],
      [{ signature: signature.slice(0, 64) + 'f'.repeat(64) }, /signature is wrong/],
      [{ signature: undefined }, /not a signed head/],
      [{ publicKey: null }, /cannot be checked/],
      [{ publicKey: '02'.padEnd(64, '0') }, /signature is wrong/],
      [{ at: '2026-05-12T09:30:00.001Z' }, /not of the last row's time/],
      [{ at: 'yesterday' }, /not a signed head/],
      [{ tenantId: '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0c' }, /does not follow the start/],
    ] as const)
      expect(checkLines(withHead(change))).toMatchObject({ code: 1, output: expect.stringMatching(fault) });

    const { publicKey } = headOf(lines);
    const other = createKeyring('the secret of another service, long enough').current;
    const head = { seq, hash, at: Date.parse(at) };
    const otherHead = {
      publicKey: other.signing.publicHex,
      signature: signHead(other, tenantId, 'live', head).signature,
    };
    expect(checkLines(withHead(otherHead))).toMatchObject({ code: 0 });
    expect(checkLines(withHead(otherHead), publicKey)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/with another key/),
    });
  });

  it('accepts valid Ed25519 signatures and rejects others', () => {
    const { tenantId } = headOf(lines);
    for (let n = 0; n < 3; n += 1) {
      const keys = createKeyring(`a secret of the tests, number ${n} of three`).current;
      const head = { seq: 0, hash: genesisHash(tenantId, 'live'), at: n };
      const signed = {
        tenantId: tenantId,
        ...head,
        at: new Date(n).toISOString(),
        publicKey: keys.signing.publicHex,
        signature: signHead(keys, tenantId, 'live', head).signature,
      };
      const line = (of: object) => [JSON.stringify({ environment: 'live', head: of })];
      expect(checkLines(line(signed))).toMatchObject({ code: 0 });
      expect(checkLines(line({ ...signed, at: new Date(n + 1).toISOString() }))).toMatchObject({ code: 1 });
    }
  });

  it('prints its usage, and names a file that it cannot read', () => {
    expect(python(script)).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^Usage: python3 audit-check.py FILE/),
    });
    expect(python(script, vector, 'no key')).toMatchObject({
      code: 2,
      output: expect.stringMatching(/^Usage/),
    });
    expect(python(script, join(folder, 'none'))).toMatchObject({
      code: 2,
      output: expect.stringMatching(/cannot be read/),
    });
  });
});
