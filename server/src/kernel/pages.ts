import { chainName, findHeadSeqs, type Scope } from './audit-store.js';
import type { Database } from './db/db.js';
import { createLoader } from './loader.js';

/** Pages that one node keeps, and how long one may be: 16 MB of text. */
const MOST_PAGES = 256;
const LONGEST_PAGE = 64 * 1024;

/** A page that is sent as the text it was before, or that becomes a text now. */
export class Page {
  readonly #text: string | undefined;
  readonly #value: object | undefined;
  readonly #keep: ((text: string) => void) | undefined;

  constructor(page: { text: string } | { value: object; keep: (text: string) => void }) {
    this.#text = 'text' in page ? page.text : undefined;
    this.#value = 'value' in page ? page.value : undefined;
    this.#keep = 'keep' in page ? page.keep : undefined;
  }

  text(serialize: (value: object) => string): string {
    if (this.#text !== undefined) return this.#text;
    const text = serialize(this.#value as object);
    this.#keep?.(text);
    return text;
  }
}

/** Pages of lists that change with their chain alone: whatever is written to such a list also extends the chain. */
export interface Pages {
  /** The page of that name as it was, if the chain has not grown since, else as it is read now. */
  find(scope: Scope, name: string, read: () => Promise<object>): Promise<Page>;
}

/**
 * Keeps pages by the length of their chain, asked anew for each request: one row, together for all that ask at once. The
 * length is read before the page, so a page is never kept as newer than it is.
 */
export function createPages(db: Database): Pages {
  const seqOf = createLoader<string, number>((chains) => findHeadSeqs(db, chains));
  const kept = new Map<string, { readonly seq: number; readonly text: string }>();

  function keep(name: string, seq: number, text: string): void {
    kept.delete(name);
    if (text.length > LONGEST_PAGE) return;
    kept.set(name, { seq, text });
    if (kept.size > MOST_PAGES) kept.delete(kept.keys().next().value as string);
  }

  return {
    async find(scope, query, read) {
      const seq = await seqOf(chainName(scope));
      const name = `${chainName(scope)}|${query}`;
      const known = kept.get(name);
      if (seq !== undefined && known?.seq === seq) {
        keep(name, seq, known.text);
        return new Page(known);
      }
      const value = await read();
      return new Page({ value, keep: (text) => seq !== undefined && keep(name, seq, text) });
    },
  };
}
