import type { Attendance, Correction, OwnAttendance, SheetReading, SignedTree } from '../generated/api.js';
import type { PhonePorts, Watch } from '../phone/ports.js';
import type { Identity, Secret } from '../phone/records.js';
import { asPerson } from '../phone/send.js';
import { verifyRecord } from '../receipts/record.js';
import type { Reply } from '../transport/transport.js';
import { checkedCorrection } from './corrections.js';
import { type PunchReceipt, wrong } from './receipt.js';

/** A signed tree with the key of its signature, as the phone keeps it. */
export type KeptTree = SignedTree & { readonly publicKey: string };

/** What the phone has kept from before. */
export interface KeptTime {
  /** The tree of an earlier list, which the new one must extend. */
  readonly tree?: KeptTree | undefined;
  readonly receipts?: readonly PunchReceipt[] | undefined;
}

/**
 * What the phone found out about a row:
 *
 * - `included`: it says what its entry sealed, and the signed tree has the entry
 * - `unsealed`: from before there were seals
 * - `too_new`: the signed tree does not have its entry yet
 * - `unchecked`: the platform cannot check signatures
 * - `wrong`: it or its proof was altered; `fault` says how
 */
export type RowCheck = 'included' | 'unsealed' | 'too_new' | 'unchecked' | 'wrong';

/** An event of the person, as the service has it. */
export interface OwnRow {
  readonly attendance: Attendance;
  readonly check: RowCheck;
  /** A sentence. */
  readonly fault?: string;
  /** Whether the phone of the person made it. If not, somebody else did, and the person can contest it. */
  readonly isProved: boolean;
}

/** A month of the person, checked. */
export interface OwnMonth {
  /** YYYY-MM */
  readonly month: string;
  readonly timeZone: string;
  /** Oldest first. */
  readonly rows: readonly OwnRow[];
  /** Who looked at the person's sheet, newest first. */
  readonly readings: readonly SheetReading[];
  /** The person's PIN for desks. Null: they have none. */
  readonly pin: Reply<'listOwnAttendance'>['pin'];
  /** That can be shown, as the service lists them. */
  readonly corrections: readonly Correction[];
  /** Corrections that cannot be shown, because no honest service sends them. */
  readonly unreadable: number;
  /** Keep it for the next list. Undefined: keep the one from before. */
  readonly tree: KeptTree | undefined;
  /** Receipts of this month without their row, or whose row has another entry, although they are older than a day. */
  readonly missing: readonly PunchReceipt[];
}

/** A receipt without its row means nothing earlier: another node may answer that does not have it yet. */
const MISSING_AFTER_MS = 24 * 60 * 60_000;

/** The person's own rows of a month. Corrections are only in replies of newer servers. */
type ListReply = Reply<'listOwnAttendance'> & { readonly corrections?: readonly Correction[] };

/**
 * Reads a month of the person with what others made for them, and checks each row by the signed tree, which must extend the one that was
 * kept. `month` is YYYY-MM.
 * @throws SvcError `receipt_wrong` if the tree does not extend the one that was kept, or has another signature
 */
export const readMonth = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  month: string,
  kept: KeptTime = {},
  watch: Watch = {},
): Promise<OwnMonth> =>
  asPerson(phone, id, { kind: 'attendance', month }, watch, async (proof, version) => {
    const { signal } = watch;
    const from = kept.tree?.size;
    const reply = await phone.service.phone.attendance.list({ ...proof, from }, { signal });
    return checkMonth(reply, version, kept, phone.service.serverNow());
  });

async function checkMonth(
  reply: ListReply,
  identity: Pick<Identity<Secret>, 'tenantId' | 'environment' | 'enrolment'>,
  kept: KeptTime,
  now: number,
): Promise<OwnMonth> {
  const { month, timeZone, readings, pin } = reply;
  const rows: OwnRow[] = [];
  for (const each of reply.attendance) rows.push(await checkRow(reply, each, identity, kept.tree));
  const listed = reply.corrections ?? [];
  const corrections = listed.filter((each) => checkedCorrection(each, identity) !== undefined);
  const isChecked = rows.some(({ check }) => check === 'included');
  return {
    ...{ month, timeZone, rows, readings, pin, corrections, unreadable: listed.length - corrections.length },
    tree:
      isChecked && reply.tree && reply.publicKey ? { ...reply.tree, publicKey: reply.publicKey } : undefined,
    missing: (kept.receipts ?? []).filter((receipt) => isMissing(receipt, reply, now)),
  };
}

async function checkRow(
  { tree, publicKey, consistency }: ListReply,
  { attendance, n, salts, entry, inclusion }: OwnAttendance,
  { tenantId, environment, enrolment }: Pick<Identity<Secret>, 'tenantId' | 'environment' | 'enrolment'>,
  head: KeptTree | undefined,
): Promise<OwnRow> {
  const row = { attendance, isProved: attendance.evidence === 'proved' };
  const isOwn = enrolment === undefined || attendance.userId === enrolment.userId;
  if (!isOwn || attendance.environment !== environment)
    return { ...row, check: 'wrong', fault: 'It is of somebody else.' };
  if (n === null && entry === null) return { ...row, check: 'unsealed' };
  const proof = { kind: 'attendance', tenantId, record: attendance, n, salts, entry, inclusion } as const;
  const extension = consistency && { consistency };
  const keys = tree && publicKey ? { [tree.keyId]: publicKey } : {};
  const verdict = await verifyRecord({ ...proof, tree, publicKey, ...extension }, { head, keys });
  if (verdict.ok) return { ...row, check: 'included' };
  const { code, message } = verdict;
  if (code === 'kept_head_differs' || code === 'key_unknown' || code === 'signature_wrong')
    throw wrong(message);
  if (code === 'row_unproven') return { ...row, check: 'too_new' };
  return code === 'signature_unsupported'
    ? { ...row, check: 'unchecked' }
    : { ...row, check: 'wrong', fault: message };
}

function isMissing({ attendance, receipt }: PunchReceipt, reply: ListReply, now: number): boolean {
  const first = reply.attendance.find((each) => each.attendance.id === attendance.id);
  if (first !== undefined) return first.entry !== null && first.entry.hash !== receipt.entry.hash;
  const isOfMonth = monthOf(attendance.occurredAt, reply.timeZone) === reply.month;
  return isOfMonth && now - Date.parse(receipt.entry.createdAt) > MISSING_AFTER_MS;
}

/** The month of a time in a zone, YYYY-MM. */
export function monthOf(at: string | number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit' });
  const parts = Object.fromEntries(
    format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}`;
}
