import type { Database } from '../../../db/db.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { type AuditEventRow, listEvents } from '../../../ledger/read-events.js';
import { reader } from '../../../ledger/write.js';
import { headWithVersions } from './deliveries.store.js';

const PAGE_SIZE = 100;
/** Pages in memory. Webhooks that follow a chain read the same one at about the same time. */
const MAX_PAGES = 4;

export interface Head {
  readonly seq: number;
  readonly hash: string;
  /** The version of each active webhook of the chain. A webhook that is missing is not active any more. */
  readonly versions: Readonly<Record<string, number>>;
}

export interface Page {
  readonly head: Head;
  /** The events after a position, oldest first. */
  readonly rows: readonly AuditEventRow[];
}

/** Reads a chain for all of its webhooks. */
export interface ChainReader {
  /** Webhooks that ask before the next change share the answer. */
  head(): Promise<Head>;
  /** Up to 100 events after a position, which webhooks share that ask before the next change. */
  page(after: number): Promise<Page>;
  /** The same, without sharing, up to another position. For replays. */
  range(after: number, to: number): Promise<readonly AuditEventRow[]>;
  /** Call when the chain may have changed. */
  changed(): void;
}

const EVERYTHING = { types: undefined, outcome: 'any' } as const;

export function createChainReader(db: Database, scope: Scope): ChainReader {
  const read = reader(db, scope);
  let pages = new Map<number, Promise<Page>>();

  let head: Promise<Head> | undefined;

  async function readHead(): Promise<Head> {
    const [row] = await read.query<{ seq: number; hash: string; versions: Head['versions'] | null }>(
      headWithVersions(scope),
    );
    if (row === undefined) throw new Error('The chain has no head');
    return { ...row, versions: row.versions ?? {} };
  }

  function currentHead(): Promise<Head> {
    if (head === undefined) {
      const reading = readHead();
      head = reading;
      reading.catch(() => {
        if (head === reading) head = undefined;
      });
    }
    return head;
  }

  async function load(after: number): Promise<Page> {
    const at = await currentHead();
    const rows = at.seq > after ? await listEvents(read, { after, to: at.seq }, EVERYTHING, PAGE_SIZE) : [];
    return { head: at, rows };
  }

  return {
    head: currentHead,
    page(after) {
      const found = pages.get(after);
      if (found) return found;
      const page = load(after);
      const current = pages;
      current.set(after, page);
      page.catch(() => current.delete(after));
      if (current.size > MAX_PAGES) current.delete(current.keys().next().value as number);
      return page;
    },
    range: (after, to) => listEvents(read, { after, to }, EVERYTHING, PAGE_SIZE),
    changed() {
      pages = new Map();
      head = undefined;
    },
  };
}
