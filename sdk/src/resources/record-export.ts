import { ROUTES, type SignedHead } from '../generated/api.js';
import { type SvcRequests, transportOf } from '../requests.js';
import { SvcError } from '../transport/errors.js';
import { readLines } from '../transport/lines.js';
import type { Environment } from '../transport/options.js';
import type { RequestOptions } from '../transport/transport.js';

/** The exports that can have what seals are made of. */
const EXPORTS = {
  device: 'exportDevices',
  user: 'exportUsers',
  verification: 'exportVerifications',
  attendance: 'exportAttendance',
} as const;

type SealedKind = keyof typeof EXPORTS;

/** A record as `get` returns it, with what its seal is made of. All of that is null for a record from before there were seals. */
export interface SealedRecord {
  readonly id: string;
  /** The number of the list of its fields. */
  readonly n: number | null;
  readonly salts: { readonly facts: string | null; readonly text: string | null } | null;
  /** The hash of its text, if the text was removed. */
  readonly T?: string;
  /** The number of the entry with the seal. */
  readonly sealSeq: number | null;
  readonly [field: string]: unknown;
}

/** Records from before there were seals, which the operator sealed later. One audit entry has the root of the page. */
export interface SealedPageLine {
  readonly sealedLater: readonly (readonly [id: string, seal: string])[];
}

/** The last line of an export of records. An export without it is truncated. */
export interface RecordExportEnd {
  readonly kind: SealedKind;
  readonly count: number;
  /** Lines with `sealedLater`, after the records. Absent for none. */
  readonly pages?: number;
  /** The head of the chain before the first record was read, and after the last. */
  readonly headBefore: SignedHead;
  readonly headAfter: SignedHead;
}

/**
 * All records of a kind by their ids, then pages of those that were sealed later, then `{ kind, count, headBefore, headAfter }`. docs/audit.md says how to compare them with the audit
 * chain. A function of its own, because few programs need it. Needs the read scope of the kind. `environment` is for a session of the
 * console alone: a key has its own.
 * @throws SvcError `connection_cut` when the export ends before its last line
 */
export async function* exportRecords(
  client: SvcRequests,
  kind: SealedKind,
  { environment, ...options }: RequestOptions & { readonly environment?: Environment } = {},
): AsyncGenerator<SealedRecord | SealedPageLine | RecordExportEnd, void, undefined> {
  const name = EXPORTS[kind];
  const query = { format: 'jsonl', include: 'seal', environment } as const;
  const response = await transportOf(client).open(name, { query }, options);
  const cut = (cause?: unknown) =>
    new SvcError('connection_cut', 'The export of records ended before its last line. Request it again.', {
      operation: ROUTES[name].route,
      cause,
    });
  let [count, pages] = [0, 0];
  try {
    for await (const line of readLines(response)) {
      const row = JSON.parse(line) as SealedRecord | SealedPageLine | RecordExportEnd;
      const isEnd = 'headAfter' in row;
      // Lines before it are missing, or it is of another export.
      if (isEnd && (row.kind !== kind || row.count !== count || (row.pages ?? 0) !== pages)) break;
      yield row;
      if (isEnd) return;
      if ('sealedLater' in row) pages += 1;
      else count += 1;
    }
  } catch (error) {
    throw options.signal?.aborted ? options.signal.reason : cut(error);
  }
  throw cut();
}
