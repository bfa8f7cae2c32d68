import { attendanceContestBind, attendanceListBind } from '@svc/zk/field';
import { zonedMonth } from '@svc/zk/time/zone';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import { listEventsAt } from '../../ledger/read-events.js';
import { listSealedWhere } from '../../records/seals/sealed-rows.js';
import {
  contestAttendance,
  numberIn,
  ownOfMonth,
  requireAttendance,
  sealedAttendance,
  serializeAttendance,
} from '../attendance/attendance.js';
import { awaitTree, consistencyOf, inclusionOf, serializeEvent } from '../audit/audit.js';
import { listWaiting, serializeCorrection } from '../corrections/corrections.js';
import { readPin } from '../pins/pins.js';
import { type Claim, decide, type PhoneCaller, prove } from '../proofs/proofs.js';
import { listReadings, zoneOf } from '../sheets/sheets.js';
import { findSite } from '../sites/sites.js';
import { requireUser } from '../users/users.js';
import type { ContestBody, ListOwnBody } from './punches.schema.js';

const MINUTE_MS = 60_000;
const ELSEWHERE = 'UTC';

/**
 * A month of the phone's person, each event with what proves it. It reads only, so it does not spend the nonce. The tree is null if it is not
 * signed in time.
 */
export async function listByPhone(caller: PhoneCaller, input: Static<typeof ListOwnBody>) {
  const { month, from } = input;
  const { prover, at } = await prove(caller, {
    purpose: 'attendance-list',
    action: 'identity.verify',
    input,
    bindOf: (use) => attendanceListBind({ ...use, month }),
    confirms: false,
  });
  const { read, deps, scope } = caller;
  const user = await requireUser(read, prover.user_id);
  const site = user.site_id === null ? undefined : await findSite(read, user.site_id);
  const timeZone = site ? await zoneOf(read, site, month) : ELSEWHERE;
  const { days } = zonedMonth(timeZone, month);
  const range = {
    from: new Date((days[0]?.from ?? 0) * MINUTE_MS),
    to: new Date((days.at(-1)?.to ?? 0) * MINUTE_MS),
  };
  const found = await listSealedWhere(read, sealedAttendance, ownOfMonth(user.id, range));
  const seqs = found.flatMap(({ sealSeq }) => sealSeq ?? []);
  const [entries, tree, readings, corrections, pin] = await Promise.all([
    listEventsAt(read, seqs),
    seqs.length === 0 ? null : awaitTree(deps, scope, Math.max(...seqs)),
    listReadings(read, { userId: user.id, siteId: user.site_id }, month),
    listWaiting(read, user.id, at.getTime()),
    readPin(read, user.id),
  ]);
  if (tree && from !== undefined && from > tree.size)
    invalid('body.from', `is larger than the signed tree, which has ${tree.size} entries`);
  const attendance = found.map(async ({ record, n, salts, sealSeq }) => {
    const row = sealSeq === null ? undefined : entries.get(sealSeq);
    return {
      ...{ attendance: record, n, salts, entry: row ? serializeEvent(row) : null },
      inclusion: tree && row ? await inclusionOf(read, row.seq, tree.size) : null,
    };
  });
  return {
    ...{ month, timeZone, attendance: await Promise.all(attendance), readings, pin, tree },
    corrections: corrections.map((row) => serializeCorrection(row, scope.environment, at.getTime())),
    publicKey: tree && (deps.keyring.find(tree.keyId)?.signing.publicHex ?? null),
    ...(tree &&
      from !== undefined && { consistency: { from, proof: await consistencyOf(read, from, tree.size) } }),
  };
}

/** The phone's person says that an event about them is wrong. It stays as it is, and only they can say it. */
export async function contestByPhone(caller: PhoneCaller, id: string, input: Static<typeof ContestBody>) {
  const attendanceId = id.toLowerCase();
  const claim: Claim = {
    purpose: 'attendance-contest',
    action: 'attendance.contested',
    input,
    bindOf: (use) => attendanceContestBind({ ...use, attendanceId }),
    confirms: false,
  };
  const proved = await prove(caller, claim);
  const row = await requireAttendance(caller.read, attendanceId);
  if (row.user_id !== proved.prover.user_id) return fail('attendance_not_found');
  if (row.contested_at !== null) return { attendance: serializeAttendance(row) };
  const contested = await decide(caller, proved, async (w, prover) => {
    const contested = await contestAttendance(w, attendanceId, proved.at);
    const site = contested && row.site_id !== null ? await findSite(w, row.site_id) : undefined;
    const month = site && (await numberIn(w, site, row.occurred_at));
    w.audit({
      ...{ entityType: 'attendance', entityId: attendanceId },
      metadata: { identityId: prover.id, ...month },
    });
    return contested;
  });
  return { attendance: serializeAttendance(contested ?? row) };
}
