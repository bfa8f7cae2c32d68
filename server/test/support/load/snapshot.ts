import type { Journal, Party } from './journal.js';

const KINDS = ['devices', 'users', 'verifications', 'attendance'] as const;
export type Kind = (typeof KINDS)[number];

// biome-ignore lint/suspicious/noExplicitAny: rows of any list
export type Row = any;

/** The rows of all lists of an account. */
export interface Snapshot {
  readonly byId: ReadonlyMap<string, Row>;
  readonly byMark: ReadonlyMap<string, readonly Row[]>;
}

const markOf = (row: Row): string => row.referenceId ?? row.metadata?.mark ?? row.name ?? row.fullName;

export async function takeSnapshot(journal: Journal, { key }: Party): Promise<Snapshot> {
  const byId = new Map<string, Row>();
  const byMark = new Map<string, Row[]>();
  for (const kind of KINDS) {
    let cursor = '';
    do {
      const { body } = await journal.read(`/v1/${kind}?limit=100${cursor}`, { as: key });
      for (const row of body[kind]) {
        byId.set(row.id, row);
        byMark.set(markOf(row), [...(byMark.get(markOf(row)) ?? []), row]);
      }
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
  }
  return { byId, byMark };
}
