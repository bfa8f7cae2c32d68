import type { AuditEventRow } from '../../ledger/read-events.js';

/** Events of one chain that are kept. */
const MAX_KEPT = 500;
/** Characters of their canonical texts together. */
const MAX_KEPT_SIZE = 1_000_000;

type Event = Pick<AuditEventRow, 'seq' | 'canonical'>;

/** The newest events of a chain, in order and without gaps, as far as they fit. */
export interface KeptEvents<E extends Event = AuditEventRow> {
  /** The position up to which events were read. */
  readonly head: number;
  /** Adds the events that were read after `head`, up to a new one. */
  add(rows: readonly E[], head: number): void;
  /** All events after a position up to `head`; undefined if some of them are not kept. */
  after(seq: number): readonly E[] | undefined;
}

/** Begins empty at a position. */
export function keepEvents<E extends Event = AuditEventRow>(start: number): KeptEvents<E> {
  let kept: E[] = [];
  let size = 0;
  let head = start;
  return {
    get head() {
      return head;
    },
    add(rows, newest) {
      // A database that was restored goes on from an earlier position, with other events.
      if (newest < head) {
        kept = [];
        size = 0;
      }
      kept.push(...rows);
      for (const row of rows) size += row.canonical.length;
      let dropped = 0;
      for (const row of kept) {
        if (kept.length - dropped <= MAX_KEPT && size <= MAX_KEPT_SIZE) break;
        size -= row.canonical.length;
        dropped += 1;
      }
      kept.splice(0, dropped);
      head = newest;
    },
    after(seq) {
      if (seq >= head) return [];
      const first = kept[0]?.seq;
      return first === undefined || seq < first - 1 ? undefined : kept.slice(seq + 1 - first);
    },
  };
}
