import type { Place } from '@svc/sdk/phone';
import type { KeptTree, Punch, PunchReceipt } from '@svc/sdk/time';
import { change, readAll, resultOf } from '../vault/database';
import { idOf } from '../vault/identities';
import type { Done } from './acts';

/** What the phone keeps of the working time at a place. It stays when the identity is removed, because it proves what was recorded. */
export interface KeptTime extends Place {
  readonly id: string;
  /** Of the month that was read last. */
  readonly tree?: KeptTree | undefined;
  /** A punch that was sent and has no answer yet. */
  readonly unanswered?: Punch | undefined;
  /** What this phone recorded last and did not take back. */
  readonly last?: (Done & { readonly attendanceId: string }) | undefined;
}

/** The receipts of a calendar month in UTC, so that a change writes few of them. */
interface KeptReceipts extends Place {
  readonly id: string;
  readonly receipts: readonly PunchReceipt[];
}

export const TIME = ['kept-time'] as const;

const isReceipts = (record: KeptTime | KeptReceipts): record is KeptReceipts => 'receipts' in record;
const readRecords = () => readAll<KeptTime | KeptReceipts>('time');

/** Of all places. */
export const readKept = async (): Promise<KeptTime[]> =>
  (await readRecords()).flatMap((record) => (isReceipts(record) ? [] : [record]));

/** All receipts of a place, oldest first. */
export const readReceipts = async (place: Place): Promise<PunchReceipt[]> =>
  (await readRecords())
    .flatMap((record) => (isReceipts(record) && idOf(record) === idOf(place) ? record.receipts : []))
    .sort((left, right) => left.attendance.occurredAt.localeCompare(right.attendance.occurredAt));

export const keep = (place: Place, more: Partial<KeptTime>): Promise<void> =>
  change(['time'], async (store) => {
    const { tenantId, environment } = place;
    const before = await resultOf<KeptTime | undefined>(store('time').get(idOf(place)));
    store('time').put({ ...before, id: idOf(place), tenantId, environment, ...more });
  });

export const keepReceipt = (place: Place, receipt: PunchReceipt): Promise<void> =>
  change(['time'], async (store) => {
    const { tenantId, environment } = place;
    const { id: attendanceId, type, reason, occurredAt } = receipt.attendance;
    const own = { tenantId, environment };
    const id = `${idOf(place)}:${occurredAt.slice(0, 7)}`;
    const [before, of] = await Promise.all([
      resultOf<KeptTime | undefined>(store('time').get(idOf(place))),
      resultOf<KeptReceipts | undefined>(store('time').get(id)),
    ]);
    const others = (of?.receipts ?? []).filter(({ attendance }) => attendance.id !== attendanceId);
    store('time').put({ ...own, id, receipts: [...others, receipt] });
    const last = { attendanceId, type, reason, occurredAt };
    store('time').put({ ...before, ...own, id: idOf(place), unanswered: undefined, last });
  });

/** After the person took back their last punch, the one before is the last. */
export async function forgetLast(place: Place, attendanceId: string): Promise<void> {
  const [kept, receipts] = await Promise.all([readKept(), readReceipts(place)]);
  if (kept.find(({ id }) => id === idOf(place))?.last?.attendanceId !== attendanceId) return;
  const before = receipts.findLast(({ attendance }) => attendance.id !== attendanceId)?.attendance;
  const { id, type, reason, occurredAt } = before ?? {};
  await keep(place, {
    last:
      id && type && occurredAt ? { attendanceId: id, type, reason: reason ?? null, occurredAt } : undefined,
  });
}
