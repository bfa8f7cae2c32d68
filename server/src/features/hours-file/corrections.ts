import type { HoursCorrection } from '@svc/zk/time/hours-file';
import { NIL_UUID } from '../../base/crypto/random.js';
import type { Read } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { correctionsOfEvents } from '../attendance/attendance.js';
import {
  listProvedCorrections,
  type ProvedCorrection,
  serializeCorrection,
} from '../corrections/corrections.js';
import { type HoursOf, isAround } from './month.js';

const AT_ONCE = 200;

/** The corrections that change the month or would have, some at a time. */
export async function* correctionsOf(
  read: Read,
  of: HoursOf,
  now: number,
): AsyncGenerator<HoursCorrection[]> {
  const { site, range } = of;
  const ids = await correctionsOfEvents(read, site.id, range.around);
  const wanted = { siteId: site.id, since: range.around.from, ids };
  let after = NIL_UUID;
  for (let size = AT_ONCE; size === AT_ONCE; ) {
    const rows = await listProvedCorrections(read, wanted, after, AT_ONCE);
    size = rows.length;
    after = rows.at(-1)?.id ?? after;
    const isOfMonth = (row: ProvedCorrection) =>
      ids.includes(row.id) ||
      row.changes.some((change) => timesOf(change).some((time) => isAround(of, time)));
    yield rows
      .filter((row) => (of.userId === undefined || row.user_id === of.userId) && isOfMonth(row))
      .map((row) => show(row, of, now));
  }
}

const timesOf = ({ old, new: next }: ProvedCorrection['changes'][number]): string[] =>
  [old, next].flatMap((time) => time?.occurredAt ?? []);

function show(row: ProvedCorrection, { environment }: HoursOf, now: number): HoursCorrection {
  const { id, userId, state, cause, note, changes, correctionSha256, proposedBy, personBy, createdAt } =
    serializeCorrection(row, environment, now);
  const { person_statement: statement, person_did: did, person_proof: proof, person_proved_at: at } = row;
  const proved = statement !== null && did !== null && proof !== null && at !== null;
  return {
    ...{ id, userId, state, cause, note, changes, correctionSha256, proposedBy, personBy, createdAt },
    ...(proved && { proved: { statement, did, provedAt: iso(at), ...proof } }),
  };
}
