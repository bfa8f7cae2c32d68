import type {
  AuditEvent,
  AuditVerdict,
  RecordExportEnd,
  SealedPageLine,
  SealedRecord,
  SignedHead,
} from '@svc/sdk';
import { createChainNotes } from '@svc/zk/records/chain-notes';
import { createHeadCheck, type RecordsEnd } from '@svc/zk/records/compare';
import { EXPORTED_KINDS, type ExportedKind } from '@svc/zk/records/kinds';
import { checkChain } from '../../nouns/chain/check-chain';
import type { Environment } from '../../operations/api';
import { createHeldRecords, type KindReport, type Room } from './held-records';

/** What the check reads, in this order. */
export type Part = ExportedKind | 'entries';

export interface CheckResult {
  readonly chain: AuditVerdict;
  /** Empty if the chain is not intact, because its seals then mean nothing. */
  readonly kinds: readonly KindReport[];
  /** The entry that the exports of records name, and the chain has not, or has otherwise. Nothing was compared. */
  readonly changedDuringCheck: number | undefined;
  /** Entries with the seal of a record that is not there, for which there was no room. */
  readonly entriesLeftOut: number;
}

type Client = typeof import('../../operations/whole-svc');

export interface CheckOptions {
  readonly environment: Environment;
  readonly tenantId: string | undefined;
  /** The first head of the chain that this page saw. */
  readonly firstHead: { current: SignedHead | undefined };
  readonly signal: AbortSignal;
  /** So many records are kept, and as many that only the chain has. */
  readonly limit: number;
  readonly onProgress: (part: Part, read: number) => void;
}

/** After so many lines, the page is drawn. */
const LINES_AT_ONCE = 200;

/** Downloads the records, then the chain, and compares them in this browser. */
export async function checkEverything(client: Client, options: CheckOptions): Promise<CheckResult> {
  const { limit, firstHead, tenantId, environment, signal, onProgress } = options;
  const room: Room = { records: limit, others: limit, entriesLeftOut: 0 };
  const kinds = EXPORTED_KINDS.map((kind) => createHeldRecords(kind, room));
  const ends: RecordsEnd[] = [];
  for (const kind of kinds) ends.push(await readRecords(client, kind, options));
  const heads = createHeadCheck(ends);
  const notes = createChainNotes(
    (kind) => ends.find((end) => end.kind === kind)?.headBefore.seq ?? Number.POSITIVE_INFINITY,
  );
  let mayDrop = false;
  const note = (event: AuditEvent) => {
    heads.note(event);
    if (event.action === 'tenant.retention_applied') mayDrop = true;
    for (const record of notes.read(event)) {
      if (room.others === 0 && mayDrop) {
        for (const kind of kinds) kind.dropRetired(notes.view);
        mayDrop = false;
      }
      kinds.find(({ kind }) => kind === record.kind)?.addEntry(record);
    }
  };
  onProgress('entries', 0);
  const audit = client.wholeSvc.console.audit(environment);
  const chain = await checkChain(
    {
      list: (...input) => audit.list(...input),
      verify: (given = {}) =>
        client.verifyAuditChain(noting(audit.export(given), note), { environment, ...given }),
    },
    firstHead,
    { tenantId, signal, onProgress: (rows) => onProgress('entries', rows) },
  );
  const { entriesLeftOut } = room;
  const none = { chain, kinds: [], changedDuringCheck: undefined, entriesLeftOut };
  if (!chain.holds) return none;
  const difference = ends.map((end) => heads.differenceOf(end, chain.head)).find((found) => found);
  if (difference !== undefined) return { ...none, changedDuringCheck: difference.seq };
  for (const [at, kind] of kinds.entries()) {
    const { headBefore, headAfter } = ends[at] as RecordsEnd;
    if (!kind.addPagesOf(notes.pagesOf(kind.kind, headAfter.seq)))
      return { ...none, changedDuringCheck: headBefore.seq };
  }
  return { ...none, kinds: kinds.map((kind) => kind.report(notes.view)) };
}

/** @throws SvcError `connection_cut` for an export that was cut off */
async function readRecords(
  { wholeSvc, exportRecords }: Client,
  held: ReturnType<typeof createHeldRecords>,
  { environment, signal, onProgress }: CheckOptions,
): Promise<RecordsEnd> {
  const { kind } = held;
  let read = 0;
  let end: RecordExportEnd | undefined;
  onProgress(kind, read);
  for await (const line of exportRecords(wholeSvc, kind, { environment, signal })) {
    if (isEnd(line)) {
      end = line;
      break;
    }
    if ('sealedLater' in line) {
      held.addPage(line as SealedPageLine);
      continue;
    }
    held.addRecord(line);
    read += 1;
    if (read % LINES_AT_ONCE > 0) continue;
    onProgress(kind, read);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  onProgress(kind, read);
  held.close(end as RecordExportEnd);
  return end as RecordExportEnd;
}

const isEnd = (line: SealedRecord | SealedPageLine | RecordExportEnd): line is RecordExportEnd =>
  'headAfter' in line;

/** The lines of the chain, each entry of which is noted. */
async function* noting<Line extends object>(
  lines: AsyncIterable<AuditEvent | Line>,
  note: (event: AuditEvent) => void,
): AsyncGenerator<AuditEvent | Line> {
  for await (const line of lines) {
    if (!('head' in line)) note(line as AuditEvent);
    yield line;
  }
}
