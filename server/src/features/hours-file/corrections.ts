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
import type { AsOfTree, Changes } from './since.js';

const AT_ONCE = 200;

/** The corrections that change the month or would have, as the tree has them, some at a time. */
export async function* correctionsOf(
  read: Read,
  of: HoursOf,
  now: number,
  asOfTree: AsOfTree,
): AsyncGenerator<HoursCorrection[]> {
  const { site, range } = of;
  const ids = await correctionsOfEvents(read, site.id, range.around);
  const wanted = { siteId: site.id, since: range.around.from, ids };
  let after = NIL_UUID;
  for (let size = AT_ONCE; size === AT_ONCE; ) {
    const stored = await listProvedCorrections(read, wanted, after, AT_ONCE);
    size = stored.length;
    after = stored.at(-1)?.id ?? after;
    const rows = asBefore(stored, await asOfTree());
    const isOfMonth = (row: ProvedCorrection) =>
      ids.includes(row.id) ||
      row.changes.some((change) => timesOf(change).some((time) => isAround(of, time)));
    yield rows
      .filter((row) => (of.userId === undefined || row.user_id === of.userId) && isOfMonth(row))
      .map((row) => show(row, of, now));
  }
}

/** Corrections as they were before some changes. */
const asBefore = (rows: readonly ProvedCorrection[], { proposed, ended }: Changes): ProvedCorrection[] =>
  rows.flatMap((row) => (proposed.has(row.id) ? [] : ended.has(row.id) ? reopened(row) : row));

/** Of a correction that the person proposed, the proof is that of the proposal. */
const reopened = (row: ProvedCorrection): ProvedCorrection => ({
  ...{ ...row, state: 'proposed' },
  ...(row.proposed_by === 'member' && { person_by: null, person_statement: null }),
});

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
