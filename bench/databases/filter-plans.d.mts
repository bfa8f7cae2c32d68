import type { Client } from 'pg';

export interface Case {
  readonly list: string;
  readonly filter: Record<string, string>;
  /** The position in a cursor. */
  readonly before: string | undefined;
  /** The index that must be used. */
  readonly index: string;
}

export interface Measured {
  readonly mode: string;
  readonly ms: number;
  /** Pages of tables and indexes. */
  readonly buffers: number;
  /** Rows of tables, including those that a filter discarded. */
  readonly rows: number;
  /** Those that a filter discarded. */
  readonly discarded: number;
  readonly scans: readonly string[];
}

/** By list: what selects a page, or sends the one statement that counts it. */
export type Stores = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: each takes its own filter
  Record<string, (read: any, filter: any, count: number, before: string | undefined) => unknown>
>;

export function fill(client: Client, rows: number): Promise<void>;
export function insertVerifications(client: Client, first: number, last: number): Promise<void>;
export function casesOf(rows: number, options: { readonly mixed: boolean }): Case[];
export function measure(client: Client, stores: Stores, of: Case): Promise<Measured[]>;
