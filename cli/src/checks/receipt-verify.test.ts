import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceiptCheckOptions } from '@svc/sdk/receipts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alterations, BAD, GOOD } from '../../../sdk/test/receipt-vectors.js';
import { EXIT, EXIT_UNCHECKED } from '../failure.js';
import { runCommand } from '../svc.js';

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

/** The command line for what a checker knows. */
function argumentsOf(text: string, options: ReceiptCheckOptions): string[] {
  const { head, rows, keys = {} } = options;
  const lines = [...((rows ?? []) as Iterable<object>)].map((row) => `${JSON.stringify(row)}\n`);
  return [
    ...['receipt', 'verify', write('receipt.json', text)],
    ...(head ? ['--head', JSON.stringify(head)] : []),
    ...(rows ? ['--audit', write('export.jsonl', lines.join(''))] : []),
    ...Object.entries(keys).flatMap(([keyId, key]) => ['--key', `${keyId}=${key}`]),
    ...(options.acceptOperatorEnrolment ? ['--accept-operator-enrolment'] : []),
    ...(options.allowDevelopmentKeys ? ['--allow-development-keys'] : []),
  ];
}

/** The tree of the receipt itself, as if it had been kept. */
function kept(text: string): ReceiptCheckOptions {
  const { tree, head } = JSON.parse(text) as { tree: object; head: { publicKey: string } };
  return { head: { ...tree, publicKey: head.publicKey } as never };
}

async function run(args: readonly string[]) {
  let [out, err] = ['', ''];
  const context = {
    env: {},
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
  };
  return { code: await runCommand(args, context as never), out, err };
}

describe('svc receipt verify', () => {
  it.each(GOOD)('accepts one $name', async ({ name, text, options }) => {
    const { code, out, err } = await run(argumentsOf(text, options));
    expect([code, err]).toEqual([options.rows ? EXIT.done : EXIT_UNCHECKED, '']);
    expect(out.includes('\nin_force_unchecked: ')).toBe(options.rows === undefined);
    expect(out).toMatch(
      /^Example GmbH asked for this, with the approval \S+ of the account \S+ \(live\):\n│ Pay an invoice\n│ To: Müller & Söhne GmbH\n│ Amount: €1,200\.50\nThe statement has the digest [0-9a-f]{64}\.\n/,
    );
    expect(out).toContain('It rests on');
    expect(out.includes('not checked: that the identity was still in force.')).toBe(
      options.rows === undefined,
    );
    expect(out.includes('was in force')).toBe(options.rows !== undefined && !/cancelled/.test(name));
  });

  it.each(BAD)('refuses $name: $code', async ({ text, options, code }) => {
    const { out, ...result } = await run(argumentsOf(text, options));
    expect(result).toEqual({ code: EXIT.refused, err: '' });
    expect(out).toMatch(new RegExp(`^${code}: .*\\.\n$`));
  });

  it('refuses receipts of which one byte was altered', { tags: ['ci'] }, async () => {
    const accepted: string[] = [];
    for (const { name, text, options } of alterations().filter((_, at) => at % 7 === 0))
      if ((await run(argumentsOf(text, options))).code !== EXIT.refused) accepted.push(name);
    expect(accepted).toEqual([]);
  });

  it('takes an earlier receipt, an earlier export or a file with a head as the head that was kept', async () => {
    const { text, options } = GOOD[0] as (typeof GOOD)[number];
    const [args, { head }] = [argumentsOf(text, { ...options, head: undefined }), options];
    const exported = [...(options.rows as Iterable<object>)].map((row) => JSON.stringify(row)).join('\n');
    for (const kept of [JSON.stringify({ environment: 'live', head }, null, 2), exported])
      expect((await run([...args, '--head', write('kept', kept)])).code).toBe(EXIT.done);
    // A tree with the key beside it, as a receipt and `GET /v1/audit/proof` have it. It is that of the receipt.
    const { tree, head: own } = JSON.parse(text) as { tree: object; head: { publicKey: string } };
    const withoutRows = argumentsOf(text, { allowDevelopmentKeys: true });
    for (const kept of [text, JSON.stringify({ tree, publicKey: own.publicKey })])
      expect((await run([...withoutRows, '--head', write('kept', kept)])).code).toBe(EXIT_UNCHECKED);
  });

  it('exits with 3 and in_force_unchecked for a receipt of which only a head shows what was before [approvals/receipt-without-rows]', async () => {
    const revoked = GOOD.find(({ name }) => /revoked before/.test(name)) as (typeof GOOD)[number];
    const cancelled = GOOD.find(({ name }) => /cancelled/.test(name)) as (typeof GOOD)[number];
    for (const { text, options } of [revoked, cancelled]) {
      const { code, out } = await run(argumentsOf(text, { ...options, rows: undefined, ...kept(text) }));
      expect(code).toBe(3);
      expect(out).toMatch(/\nin_force_unchecked: .*--audit\.\n$/);
    }
  });

  it('names what cannot be read', async () => {
    const good = write('receipt.json', GOOD[0]?.text ?? '');
    const attempts: [string[], string][] = [
      [[join(folder, 'none.json')], 'cannot be read'],
      [[good, '--head', '{}'], '--head contains no head'],
      [[good, '--head', join(folder, 'none')], '--head cannot be read'],
      [[good, '--key', 'abc'], '--key must be KEYID=KEY'],
    ];
    for (const [args, message] of attempts) {
      const { code, err } = await run(['receipt', 'verify', ...args]);
      expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
    }
    const { head } = GOOD[0]?.options ?? {};
    const missing = [
      '--head',
      JSON.stringify(head),
      '--allow-development-keys',
      '--audit',
      join(folder, 'none'),
    ];
    const { code, err } = await run(['receipt', 'verify', good, ...missing]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('cannot be read')]);
  });
});
