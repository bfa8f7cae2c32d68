import type { RawDatabase } from '../../../src/db/db.js';

/** Wraps a database so that a test can do something between what a request reads and what it writes. */
export function interruptibleWrites(db: RawDatabase): {
  readonly db: RawDatabase;
  /** The next transaction begins after this. */
  beforeNext(work: () => Promise<unknown>): void;
} {
  let next: (() => Promise<unknown>) | undefined;
  return {
    db: {
      ...db,
      async begin() {
        const work = next;
        next = undefined;
        await work?.();
        return db.begin();
      },
    },
    beforeNext(work) {
      next = work;
    },
  };
}
