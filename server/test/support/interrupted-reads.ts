import type { Database, RawDatabase } from '../../src/db/db.js';
import type { Sql } from '../../src/db/sql.js';

/** A database in which something happens between the reads of a request. */
export interface InterruptedDatabase extends RawDatabase {
  /** The texts of the statements that are sent after the first one with `since` in its text, each once. */
  record(since: string): () => readonly string[];
  /** `act` happens once, before the first statement with this text after the first one with `since`. Returns whether it has happened. */
  interrupt(of: {
    readonly since: string;
    readonly before: string;
    readonly act: () => Promise<unknown>;
  }): () => boolean;
}

export function interrupted(db: RawDatabase): InterruptedDatabase {
  let onStatement: ((text: string) => Promise<unknown> | undefined) | undefined;
  const follow = (since: string, then: (text: string) => Promise<unknown> | undefined) => {
    let hasBegun = false;
    onStatement = (text) => {
      if (hasBegun) return then(text);
      hasBegun = text.includes(since);
      return undefined;
    };
  };
  const wrap = <D extends Database>(of: D): D => ({
    ...of,
    async query(statement: Sql) {
      await onStatement?.(statement.text);
      return of.query(statement as never);
    },
    ...(of.near && { near: (tenantId: string) => wrap(of.near?.(tenantId) as D) }),
  });
  return {
    ...wrap(db),
    record(since) {
      const texts = new Set<string>();
      follow(since, (text) => void texts.add(text));
      return () => {
        onStatement = undefined;
        return [...texts];
      };
    },
    interrupt({ since, before, act }) {
      let has = false;
      follow(since, (text) => {
        if (text !== before) return undefined;
        [has, onStatement] = [true, undefined];
        return act();
      });
      return () => {
        onStatement = undefined;
        return has;
      };
    },
  };
}
