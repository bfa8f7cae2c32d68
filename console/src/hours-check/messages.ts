import type { HoursCheckOptions, HoursVerdict } from '@svc/sdk/hours';

/** What the next check is compared with: the tree of the audit log that this page saw last. */
export type KeptTree = NonNullable<HoursCheckOptions['head']>;

export interface Progress {
  /** Bytes that were read. */
  readonly bytes: number;
  /** Entries of the audit log, which are most of a file. Before the first line was read, it is not known how many there are. */
  readonly entries: { readonly read: number; readonly of: number };
}

/** What a check has come to. */
export interface Checked {
  readonly verdict: HoursVerdict;
  readonly timeZone: string | undefined;
  /** The proofs are under development keys. */
  readonly isForgeable: boolean;
  /** Names of people by ID. */
  readonly names: ReadonlyMap<string, string>;
  /** Undefined if the file has none that can be read. */
  readonly tree: KeptTree | undefined;
  /** Names the audit log that it is of. */
  readonly log: string | undefined;
}

/** What the page sends: first what was kept, and then a piece each time that the worker asks. */
export type ToWorker = { readonly head: KeptTree | undefined } | { readonly piece: Uint8Array | undefined };

export type FromWorker =
  | { readonly entries: Progress['entries'] }
  | { readonly wants: 'a piece' }
  | { readonly checked: Checked }
  | { readonly failed: 'too large' | 'unexpected' };
