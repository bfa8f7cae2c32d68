import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AUDIT_HEAD, hashLeaf, tagOf, wordOf } from '@svc/chain/leaves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../../server/src/base/crypto/keyring.js';
import {
  type AuditEvent,
  canonicalJson,
  genesisHash,
  linkHash,
  signHead,
} from '../../../server/src/ledger/audit-chain.js';
import { UsageError } from '../failure.js';
import type { ShownAnchor } from './anchor.js';
import { auditVerify, readSavedHead, verifyExport } from './audit-verify.js';

const TENANT = '019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
const START = Date.parse('2026-05-12T09:30:00.000Z');
const keys = createKeyring('the secret of the published test vector').current;
const vectors = new URL('../../../docs/vectors/', import.meta.url);
const vector = fileURLToPath(new URL('audit-export.jsonl', vectors));

const id = (n: number) => `019256b0-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Text with and without characters to escape, and every kind of value. The service's own rows have less. */
const METADATA = [
  { plan: 'free' },
  {},
  { b: true, a: null, Z: -9007199254740991, count: 0 },
  { text: 'quote " backslash \\ slash / tab \t delete \u007f é € 😀 \u2028' },
];

/** An export as the service writes it. */
function exported(length: number, environment: 'live' | 'test' = 'live'): string[] {
  let prevHash = genesisHash(TENANT, environment);
  let at = START;
  const lines = Array.from({ length }, (_, index) => {
    at = START + index * 1500;
    const event: AuditEvent = {
      id: id(index + 1),
      seq: index + 1,
      environment,
      actorType: 'api_key',
      actorId: index === 0 ? null : id(999),
      action: 'device.created',
      entityType: 'device',
      entityId: id(500 + index),
      status: index % 2 === 0 ? 'success' : 'failure',
      summary: 'A device was registered',
      createdAt: new Date(at).toISOString(),
      metadata: METADATA[index % METADATA.length] as AuditEvent['metadata'],
    };
    const hash = linkHash(prevHash, canonicalJson(event));
    const line = JSON.stringify({ ...event, prevHash, hash });
    prevHash = hash;
    return line;
  });
  const head = { seq: length, hash: prevHash, at };
  const { keyId, signature } = signHead(keys, TENANT, environment, head);
  const { publicHex: publicKey } = keys.signing;
  const signed = { tenantId: TENANT, ...head, at: new Date(at).toISOString(), keyId, publicKey, signature };
  return [...lines, JSON.stringify({ environment, head: signed })];
}

const bytes = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

/** In pieces of an odd size, so that lines and characters are split. */
async function* inPieces(data: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

const verdictOn = (lines: readonly string[]) => verifyExport(inPieces(bytes(lines)));
const edit = (line: string, change: (value: Record<string, unknown>) => object) =>
  JSON.stringify(change(JSON.parse(line)));
const editHead = (lines: string[], change: (head: Record<string, unknown>) => object) =>
  lines.with(
    -1,
    edit(lines.at(-1)!, (value) => ({ ...value, head: change(value.head as never) })),
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

async function verified(path: string, since?: string): Promise<{ code: number; text: string }> {
  const { verdict, text } = await auditVerify(path, { since });
  return { code: verdict.holds ? 0 : 1, text };
}

/** The anchor of row 4 of an export of 6, alone in its batch. */
function anchored(change: Partial<ShownAnchor['leaf']> = {}): ShownAnchor {
  const [row] = exported(6).slice(3);
  const fields = { kind: 2, tag: tagOf(TENANT, 'live'), first: wordOf(4), second: JSON.parse(row!).hash };
  const salt = wordOf(9);
  const leaf = {
    kind: 2,
    tag: `0x${fields.tag}`,
    first: `0x${fields.first}`,
    second: `0x${fields.second}`,
    ...change,
  };
  const root = `0x${hashLeaf({ ...fields, kind: AUDIT_HEAD, salt })}`;
  return {
    batchId: 1,
    leaf,
    salt: `0x${salt}`,
    proof: [],
    root,
    chainId: 1,
    contract: `0x${'1'.repeat(40)}`,
  };
}

describe('an anchored row', () => {
  const verify = (length: number, anchor: ShownAnchor, environment?: 'live' | 'test') =>
    verifyExport(inPieces(bytes(exported(length, environment))), undefined, anchor);

  it('matches the row in a chain of the same or a greater length', async () => {
    for (const length of [4, 5, 6]) expect(await verify(length, anchored())).toMatchObject({ holds: true });
  });

  it('reveals a rewritten chain, a truncated chain and another chain', async () => {
    const other = anchored({ second: `0x${wordOf(7)}` });
    expect(await verify(6, other)).toMatchObject({ fault: 'line 4: row 4 is not the row that was anchored' });
    expect(await verify(3, anchored())).toMatchObject({ fault: expect.stringMatching(/rows were removed$/) });
    const elsewhere = { tag: `0x${tagOf(TENANT, 'test')}` };
    for (const change of [elsewhere, { kind: 1 }])
      expect(await verify(6, anchored(change))).toMatchObject({
        fault: 'the anchor belongs to another chain',
      });
  });

  it('cannot be checked with the proof of an identity', async () => {
    const anchor = file('identity.json', JSON.stringify({ anchor: anchored({ kind: 1 }) }));
    const verdict = auditVerify(vector, { anchor });
    await expect(verdict).rejects.toThrow(UsageError);
    await expect(verdict).rejects.toThrow(
      'is the proof of an identity, but the proof of an audit head is needed',
    );
  });

  it('requires a later export if the export has none yet', async () => {
    const verified = (path: string) => auditVerify(path, { rpcUrl: 'http://127.0.0.1:1' });
    await expect(verified(vector)).rejects.toThrow(/^No row of .*Export the chain again later/);
  });

  it('on the export’s last line is compared too, and must lead to its root', async () => {
    const withAnchor = (anchor: ShownAnchor) =>
      exported(6).with(
        -1,
        edit(exported(6).at(-1)!, (value) => ({ ...value, anchor })),
      );
    const valid = file('anchored.jsonl', bytes(withAnchor(anchored())));
    expect(await verified(valid)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Row 4 is in batch 1'),
    });
    const wrong = { ...anchored(), salt: `0x${wordOf(8)}` };
    expect(await verified(file('wrong.jsonl', bytes(withAnchor(wrong))))).toMatchObject({ code: 1 });
  });
});

describe('the published test vector', () => {
  it('is what the service writes', async () => {
    await expect(bytes(exported(6)).toString()).toMatchFileSnapshot(vector);
  });

  it('is valid', async () => {
    const { code, text } = await verified(vector);
    expect(text).toContain('The chain is valid: 6 rows');
    expect(code).toBe(0);
  });
});

describe('an export', () => {
  it.each([0, 1, 25])('of %i rows is valid, in pieces of any size', async (length) => {
    for (const environment of ['live', 'test'] as const) {
      expect(await verdictOn(exported(length, environment))).toMatchObject({ holds: true, environment });
    }
  });

  it('that a program saved with CRLF or a byte order mark was not altered [http/surrounding-space]', async () => {
    const text = bytes(exported(6)).toString();
    const crlf = text.replaceAll('\n', '\r\n');
    for (const saved of [crlf, `\uFEFF${text}`, `\uFEFF${crlf}`]) {
      const path = file('saved.jsonl', saved);
      expect(await verified(path)).toMatchObject({ code: 0, text: expect.stringContaining('6 rows') });
      expect(await verified(vector, path)).toMatchObject({ code: 0 });
    }
    const altered = file('altered.jsonl', `\uFEFF${crlf.replace('success', 'failure')}`);
    expect(await verified(altered)).toMatchObject({ code: 1, text: expect.stringMatching(/was altered/) });
    const twice = file('twice.jsonl', `\uFEFF\uFEFF${text}`);
    expect(await verified(twice)).toMatchObject({ code: 1 });
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'an altered field',
      (l) => l.with(2, l[2]!.replace('success', 'failure')),
      /^line 3: row .*3 was altered$/,
    ],
    [
      'altered metadata',
      (l) => l.with(0, l[0]!.replace('"free"', '"enterprise"')),
      /^line 1: row .*1 was altered$/,
    ],
    [
      'an added field',
      (l) =>
        l.with(
          1,
          edit(l[1]!, (row) => ({ ...row, note: 'x' })),
        ),
      /^line 2: .* was altered$/,
    ],
    [
      'a list in a row',
      (l) =>
        l.with(
          1,
          edit(l[1]!, (row) => ({ ...row, note: [] })),
        ),
      /^line 2: .* was altered$/,
    ],
    ['a removed row', (l) => l.toSpliced(2, 1), /^line 3: row .*4 has sequence 4, not 3$/],
    ['two swapped rows', (l) => l.with(1, l[2]!).with(2, l[1]!), /^line 2: row .*3 has sequence 3, not 2$/],
    ['a repeated row', (l) => l.toSpliced(2, 0, l[1]!), /^line 3: row .*2 has sequence 2, not 3$/],
    [
      'a changed previous hash',
      (l) =>
        l.with(
          1,
          edit(l[1]!, (row) => ({ ...row, prevHash: row.hash })),
        ),
      /^line 2: row .*2 does not follow/,
    ],
    ['a cut-off tail', (l) => l.toSpliced(-2, 1), /^the head does not match the last row$/],
    ['a missing head', (l) => l.slice(0, -1), /cut off/],
    ['a row after the head', (l) => [...l, l[0]!], /^line 7 comes after the head$/],
    ['no bytes', () => [], /cut off/],
    ['a line that is not JSON', (l) => l.with(1, `${l[1]!}}`), /^line 2 is not JSON$/],
    [
      'a field named twice',
      (l) => l.with(1, l[1]!.replace('{', '{"action":"x",')),
      /^line 2 is not written as/,
    ],
    ['a line that is not a row', (l) => l.with(1, '{"seq":2}'), /^line 2 is neither a row nor a head/],
    ['an empty line', (l) => l.toSpliced(1, 0, ''), /^line 2 is not JSON$/],
    [
      'another tenant in the head',
      (l) => editHead(l, (h) => ({ ...h, tenantId: id(7) })),
      /row .*1 does not follow the start/,
    ],
    [
      'another environment',
      (l) => l.with(-1, l.at(-1)!.replace('"live"', '"test"')),
      /does not follow the start/,
    ],
    [
      'another time in the head',
      (l) => editHead(l, (h) => ({ ...h, at: '2026-05-12T09:31:00.000Z' })),
      /last row’s time/,
    ],
    [
      'an altered signature',
      (l) => editHead(l, (h) => ({ ...h, signature: `00${String(h.signature).slice(2)}` })),
      /signature is wrong/,
    ],
    [
      'a head without its key',
      (l) => editHead(l, (h) => ({ ...h, publicKey: null })),
      /signature cannot be checked/,
    ],
    [
      'a malformed head',
      (l) => l.with(-1, '{"environment":"live","head":{"seq":5}}'),
      /^line 6 is not a signed head$/,
    ],
  ])('with %s is invalid, and the first invalid row is named', async (_, change, fault) => {
    const verdict = await verdictOn(change(exported(5)));
    expect(verdict).toEqual({ holds: false, fault: expect.stringMatching(fault) });
  });

  it('with a row rewritten under a new hash is invalid at the next row', async () => {
    const lines = exported(5);
    const { prevHash, hash: _, ...event } = JSON.parse(lines[2]!);
    const forged = { ...event, status: 'failure' };
    lines[2] = JSON.stringify({ ...forged, prevHash, hash: linkHash(prevHash, canonicalJson(forged)) });
    expect(await verdictOn(lines)).toEqual({
      holds: false,
      fault: expect.stringMatching(/^line 4: .* does not follow/),
    });
  });

  it('is read in constant memory, and rejected at an overlong line or invalid UTF-8', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(64 * 1024, 0x20);
    }
    expect(await verifyExport(endless())).toEqual({
      holds: false,
      fault: expect.stringMatching(/^line 1 is longer/),
    });
    const broken = Buffer.concat([Buffer.from(`${exported(1)[0]}\n`), Buffer.from([0x22, 0xff, 0x22, 0x0a])]);
    expect(await verifyExport(inPieces(broken))).toEqual({ holds: false, fault: 'line 2 is not UTF-8' });
    const deep = `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`;
    expect(await verifyExport(inPieces(bytes([deep]), 65_536))).toMatchObject({ holds: false });
  });
});

describe('--since', () => {
  const headOf = (lines: readonly string[]) => JSON.parse(lines.at(-1)!).head;

  it('accepts an earlier export, its last line, or a head in a file or as text, and checks that the chain extends it', async () => {
    const now = file('now.jsonl', bytes(exported(6)));
    const earlier = exported(4);
    for (const since of [
      file('earlier.jsonl', bytes(earlier)),
      file('line.json', earlier.at(-1)!),
      file('head.json', JSON.stringify(headOf(earlier), null, 2)),
      JSON.stringify(headOf(earlier)),
      now,
      file('empty.jsonl', bytes(exported(0))),
    ]) {
      const { code, text } = await verified(now, since);
      expect(text).toMatch(/It extends the saved head at row [046]\./);
      expect(code).toBe(0);
    }
  });

  it('finds the last line of a large export', async () => {
    const path = file('large.jsonl', bytes(exported(4000)));
    expect((await readSavedHead(path)).head.seq).toBe(4000);
  });

  it('finds a truncated chain, a rewritten chain and another chain', async () => {
    const short = file('short.jsonl', bytes(exported(3)));
    const saved = JSON.stringify(headOf(exported(6)));
    expect(await verified(short, saved)).toEqual({
      code: 1,
      text: expect.stringMatching(/ends at row 3, .* rows were removed/),
    });

    // The same service signed both, so each chain is valid alone.
    const other = file('test.jsonl', bytes(exported(6, 'test')));
    expect(await verified(other)).toMatchObject({ code: 0 });
    expect(await verified(other, exported(3).at(-1)!)).toEqual({
      code: 1,
      text: expect.stringContaining('another chain'),
    });
    expect(await verified(other, JSON.stringify(headOf(exported(3))))).toEqual({
      code: 1,
      text: expect.stringContaining('rewritten at or before row 3'),
    });
  });

  /** The first rows of a chain, then other rows than it had. The first of them says that the chain was restored, or says it wrongly. */
  function restored(kept: number, said: Readonly<{ seq: number; hash?: string }>): string[] {
    const rows = exported(kept).slice(0, -1);
    const base = JSON.parse(rows.at(-1)!);
    let prevHash: string = base.hash;
    let at = START;
    for (const offset of [1, 2]) {
      at = START + 3_600_000 + offset;
      const event: AuditEvent = {
        id: id(700 + offset),
        seq: kept + offset,
        environment: 'live',
        actorType: 'system',
        actorId: null,
        action: offset === 1 ? 'chain.restored' : 'user.created',
        entityType: 'chain',
        entityId: null,
        status: 'success',
        summary: 'Something',
        createdAt: new Date(at).toISOString(),
        metadata: offset === 1 ? { hash: base.hash, ...said, epoch: 1 } : {},
      };
      const hash = linkHash(prevHash, canonicalJson(event));
      rows.push(JSON.stringify({ ...event, prevHash, hash }));
      prevHash = hash;
    }
    const head = { seq: kept + 2, hash: prevHash, at };
    const signature = signHead(keys, TENANT, 'live', head);
    const { head: of } = JSON.parse(exported(1).at(-1)!);
    const signed = { ...of, ...head, at: new Date(at).toISOString(), signature: signature.signature };
    return [...rows, JSON.stringify({ environment: 'live', head: signed })];
  }

  it('says restored, not valid, of a chain that lost the saved head by a restore [chain.restored] [erasure/after-a-restore]', async () => {
    const saved = JSON.stringify(headOf(exported(6)));
    for (const kept of [4, 5]) {
      const now = file('restored.jsonl', bytes(restored(kept, { seq: kept })));
      expect(await verified(now)).toMatchObject({ code: 0 });
      const { code, text } = await verified(now, saved);
      expect(text).toMatch(
        new RegExp(
          `^The chain is restored: .*\\(row ${kept + 1}, 2026-.*\nThe backup ended at row ${kept}\\. `,
        ),
      );
      expect(code).toBe(1);
      const { verdict } = await auditVerify(now, { since: saved });
      expect(verdict).toMatchObject({ holds: false, restored: { row: kept + 1, seq: kept } });
      expect(await verified(now, exported(4).at(-1)!)).toMatchObject({ code: 0 });
    }
  });

  it('does not say restored for a restore to a later row, an event that names another head, and another chain', async () => {
    const saved = JSON.stringify(headOf(exported(6)));
    for (const said of [{ seq: 3 }, { seq: 4, hash: 'a'.repeat(64) }]) {
      const now = file('said.jsonl', bytes(restored(4, said)));
      expect((await verified(now, saved)).text).toMatch(/^The chain is not valid: /);
    }
    // A restore from before the head was signed lost nothing that the head knows.
    const newer = { ...headOf(exported(6)), at: new Date(START + 4 * 3_600_000).toISOString() };
    const rewound = file('rewound.jsonl', bytes(restored(4, { seq: 4 })));
    expect((await verified(rewound, JSON.stringify(newer))).text).toMatch(/^The chain is not valid: /);
    const other = { ...headOf(exported(3)), hash: 'a'.repeat(64), publicKey: null };
    const later = file('later.jsonl', bytes(restored(4, { seq: 4 })));
    expect((await verified(later, JSON.stringify(other))).text).toContain('rewritten at or before row 3');
    const foreign = file('foreign.jsonl', bytes(restored(4, { seq: 4 })));
    expect((await verified(foreign, exported(6, 'test').at(-1)!)).text).toContain('another chain');
  });

  it('notes a changed key, and uses the saved key if it is no longer published', async () => {
    const saved = { ...headOf(exported(6)), keyId: 'feedfeedfeedfeed' };
    const now = file('now.jsonl', bytes(exported(6)));
    expect((await verified(now, JSON.stringify(saved))).text).toContain('The signing key has changed');
    const unpublished = file(
      'unpublished.jsonl',
      bytes(editHead(exported(6), (h) => ({ ...h, publicKey: null }))),
    );
    expect((await verified(unpublished)).code).toBe(1);
    expect((await verified(unpublished, exported(4).at(-1)!)).code).toBe(0);
  });

  it('is rejected before the export is read if it is not a head or its signature is wrong', async () => {
    const forged = exported(4).at(-1)!.replace('"seq":4', '"seq":3');
    for (const since of [
      '{}',
      '{"head":{}}',
      forged,
      join(folder, 'nowhere.json'),
      file('text.txt', 'hello'),
    ]) {
      await expect(auditVerify(vector, { since })).rejects.toThrow(UsageError);
    }
    await expect(auditVerify(join(folder, 'nowhere'))).rejects.toThrow(UsageError);
  });
});
