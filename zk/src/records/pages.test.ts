import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leafHash, nodeHash, verifyInclusion } from '../approvals/merkle.js';
import { notesOfPages, pageIn } from './chain-notes.js';
import { judgeRecord } from './judge.js';
import {
  isPage,
  MAX_PAGE_RECORDS,
  type PageRecord,
  pageLeaf,
  pagePath,
  pageRoot,
  rootOf,
  type SealedPage,
} from './pages.js';

const digest = (bytes: Uint8Array) => hash('sha256', bytes, 'hex');
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const recordOf = (at: number): PageRecord => [
  `019dcc12-3fc0-7b2e-8d41-${at.toString(16).padStart(12, '0')}`,
  digest(Uint8Array.of(at % 256, at >> 8)),
];
const pageOf = (size: number) => ({
  kind: 'attendance' as const,
  records: Array.from({ length: size }, (_, at) => recordOf(at)),
});

it('the root over one leaf is the leaf, over two their hash, and over none there is none', () => {
  const join = (left: string, right: string) => digest(Buffer.from(`01${left}${right}`, 'hex'));
  const [a, b, c] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];
  expect(rootOf([], digest)).toBe('');
  expect(rootOf([a], digest)).toBe(a);
  expect(rootOf([a, b], digest)).toBe(join(a, b));
  expect(rootOf([a, b, c], digest)).toBe(join(join(a, b), c));
});

describe('a page of records that were sealed later', () => {
  it('has the root of RFC 9162, so that each record can be proved alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.nat(), (size, any) => {
        const page = pageOf(size);
        const index = any % size;
        const root = pageRoot(page, digest);
        const proof = pagePath(page, index, digest).map(bytesOf);
        const leaf = leafHash(pageLeaf(page.kind, page.records[index] as PageRecord));
        expect(verifyInclusion({ index, size, leaf, proof, root: bytesOf(root) })).toBe(true);
        expect(verifyInclusion({ index: index + 1, size, leaf, proof, root: bytesOf(root) })).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('has the roots of the vectors', () => {
    const { pages }: { pages: (SealedPage & { root: string })[] } = JSON.parse(
      readFileSync(new URL('../../../docs/vectors/records.json', import.meta.url), 'utf8'),
    );
    expect(pages.map((page) => pageRoot(page, digest))).toEqual(pages.map(({ root }) => root));
    expect(pages.length).toBeGreaterThan(3);
  });

  it('is hashed as docs/audit.md says', () => {
    const [first, second, third] = pageOf(3).records.map(([id, seal]) =>
      leafHash(new TextEncoder().encode(`attendance|${id}|${seal}`)),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    expect(bytesOf(pageRoot(pageOf(3), digest))).toEqual(nodeHash(nodeHash(first, second), third));
  });

  it('has another root if a record, its seal, its kind or the order differs', () => {
    const { kind, records } = pageOf(3);
    const [first, second, third] = records as [PageRecord, PageRecord, PageRecord];
    const others = [
      { kind: 'verification' as const, records },
      { kind, records: [second, first, third] },
      { kind, records: [first, second] },
      { kind, records: [first, second, [third[0], second[1]] as const] },
      { kind, records: [first, second, [recordOf(9)[0], third[1]] as const] },
    ];
    const roots = [{ kind, records }, ...others].map((page) => pageRoot(page, digest));
    expect(new Set(roots).size).toBe(roots.length);
  });

  it.each([
    ['no record', []],
    ['too many records', pageOf(MAX_PAGE_RECORDS + 1).records],
    ['a seal of another length', [[recordOf(1)[0], 'ff']]],
    ['an id of another form', [['1', recordOf(1)[1]]]],
    ['a third value', [[...recordOf(1), 'x']]],
    ['what is no list', 'x'],
  ])('has no root with %s', (_, records) => {
    expect(isPage(records)).toBe(false);
    expect(() => pageRoot({ kind: 'user', records: records as PageRecord[] }, digest)).toThrow(TypeError);
  });
});

describe('the pages of a file', () => {
  const entry = { kind: 'attendance' as const, actor: 'system', at: '2026-05-12T17:02:00.000Z' };
  const page = { ...pageOf(2), root: 'r1' };
  const inChain = { ...entry, root: 'r1', seq: 7 };

  it('belong to the entries with their roots, which name their kind', () => {
    const noted = (metadata: object) => pageIn({ action: 'records.sealed_later', metadata: { ...metadata } });
    expect(noted({ kind: 'user', root: 'r', count: 1 })).toEqual({ kind: 'user', root: 'r' });
    expect([noted({ kind: 'session', root: 'r' }), noted({ kind: 'user', root: 1 })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(pageIn({ action: 'user.updated', metadata: { kind: 'user', root: 'r' } })).toBeUndefined();
  });

  it('seal their records by the entries with their roots', () => {
    expect(notesOfPages([page], [inChain], 9)).toMatchObject(
      page.records.map(([id, seal]) => ({ id, seal, seq: 7, isLater: true, lacksSeal: false })),
    );
  });

  it('must be those of the chain, but for entries that were made while it was written', () => {
    expect(notesOfPages([], [inChain], 9)).toBeUndefined();
    expect(notesOfPages([], [inChain], 6)).toEqual([]);
    expect(notesOfPages([{ ...page, root: 'r2' }], [inChain], 9)).toBeUndefined();
    expect(notesOfPages([page], [], 9)).toBeUndefined();
  });

  it('are as old as their ids say, when retention deletes a record', () => {
    const [id, seal] = recordOf(1);
    const asked: string[] = [];
    const view = {
      ...{ headBefore: 10, headAfter: 12, erasureOf: () => undefined },
      isRetired(_: unknown, __: string, createdAt: string) {
        asked.push(createdAt);
        return 'perhaps' as const;
      },
    };
    const history = { seals: [{ seq: 7, at: '2027-01-01T00:00:00.000Z', seal, isLater: true as const }] };
    const judged = judgeRecord({ kind: 'attendance', id }, { ...history, isNamed: true }, undefined, view);
    expect(judged).toEqual({ is: 'deleted' });
    expect(asked).toEqual([new Date(0x019dcc123fc0).toISOString()]);
  });

  it('accuse no record that was read before it was sealed later', () => {
    const [id, seal] = recordOf(1);
    const state = { lacks: 'number' as const, seal: undefined, person: undefined, isEmpty: false };
    const view = {
      headBefore: 10,
      headAfter: 12,
      erasureOf: () => undefined,
      isRetired: () => 'no' as const,
    };
    const judged = (seq: number) =>
      judgeRecord(
        { kind: 'attendance', id },
        { seals: [{ seq, at: entry.at, seal, isLater: true }], isNamed: true },
        state,
        view,
      ).is;
    expect([judged(10), judged(11)]).toEqual(['salt_missing', 'not_covered']);
  });
});
