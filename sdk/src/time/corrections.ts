import type { Attendance, Correction, ProposedCorrectionParams } from '../generated/api.js';
import { withKeyInForce } from '../phone/in-force.js';
import type { PhonePorts, Watch } from '../phone/ports.js';
import type { Identity, Secret } from '../phone/records.js';
import { asPerson, createUse, proveToSend } from '../phone/send.js';
import { readContext } from './context.js';
import { despiteLoss } from './punch.js';
import { wrong } from './receipt.js';
import { correctionSha256, type ShownCorrection } from './statements.js';

/** What a person proposes. It is the person of the phone. */
export type CorrectionWish = Omit<ProposedCorrectionParams, 'userId'>;

/** Takes back one row. Within five minutes of one's own punch, this needs nobody else. */
export const takingBack = ({ id, type, reason, occurredAt }: Attendance): CorrectionWish => ({
  ...{ cause: 'other', note: null },
  changes: [{ old: { id, type, reason: reason ?? 'work', occurredAt }, new: null }],
});

/** Says that a row about the person is wrong. It stays, and shows that. @throws SvcError `attendance_not_found` */
export const contestAttendance = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  attendanceId: string,
  watch: Watch = {},
): Promise<Attendance> =>
  asPerson(phone, id, { kind: 'attendance-contest', attendanceId }, watch, (proof) =>
    phone.service.phone.attendance.contest(proof, { signal: watch.signal }),
  );

/** A proposal that can be sent, also again: the same one changes nothing. `userId` is the person, as a row of theirs says. */
export async function prepareCorrection<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  { cause, note, changes, userId }: ProposedCorrectionParams,
  watch: Watch = {},
): Promise<ShownCorrection> {
  const { issuer, tenant, environment, company, scannedAt } = await readContext(phone, id, undefined, watch);
  const correction = { userId, cause, note, changes };
  correctionSha256(correction);
  const correctionId = globalThis.crypto.randomUUID();
  return { issuer, tenant, environment, company, correctionId, createdAt: scannedAt, correction };
}

/**
 * Proposes a correction, which is the person's own yes. The account decides, unless the person takes back their own punch within five minutes.
 * @throws SvcError `correction_outdated`, `correction_closed`, `receipt_wrong` if the service recorded something else
 */
export function proposeCorrection<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  shown: ShownCorrection,
  watch: Watch = {},
): Promise<Correction> {
  watch.onStage?.('unlocking');
  return withKeyInForce(phone, id, async (version) => {
    const proof = await proveToSend(phone, version, { kind: 'correction', shown }, watch);
    const { signal } = watch;
    const correction = await despiteLoss(phone, watch, () =>
      phone.service.phone.attendance.proposeCorrection(proof, { signal }),
    );
    const isSame =
      correction.id === shown.correctionId &&
      correction.correctionSha256 === correctionSha256(shown.correction);
    if (!isSame) throw wrong('The service recorded another correction than the phone proved.');
    return correction;
  });
}

/**
 * The correction of a list, if an honest service could have sent it to this identity: its digest is computed again, and it has no text that
 * no phone may show.
 */
export function checkedCorrection(
  { userId, cause, note, changes, correctionSha256: sha256, environment }: Correction,
  identity: Pick<Identity<Secret>, 'environment' | 'enrolment'>,
): ProposedCorrectionParams | undefined {
  const shown = { userId, cause, note, changes: changes.map(changeOf) };
  const isOwn =
    environment === identity.environment &&
    (identity.enrolment === undefined || userId === identity.enrolment.userId);
  return isOwn && sha256OrNothing(shown) === sha256 ? shown : undefined;
}

type Change = ProposedCorrectionParams['changes'][number];

/** A response may have more fields. */
const changeOf = ({ old, new: next }: Change): Change => ({
  old: old && { id: old.id, ...timeOf(old) },
  new: next && timeOf(next),
});

const timeOf = ({ type, reason, occurredAt }: NonNullable<Change['new']>) => ({ type, reason, occurredAt });

function sha256OrNothing(correction: ProposedCorrectionParams): string | undefined {
  try {
    return correctionSha256(correction);
  } catch {
    return undefined;
  }
}

/**
 * Agrees to a correction that the account proposed, or contests it. The proof is bound to all that it changes, as it was shown.
 * @throws SvcError `correction_closed`, `correction_outdated`, `correction_waits_for_member`
 */
export async function decideCorrection<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  correction: Correction,
  decision: 'agree' | 'contest',
  watch: Watch = {},
): Promise<Correction> {
  watch.onStage?.('unlocking');
  const place = await readContext(phone, id, undefined, watch);
  return withKeyInForce(phone, id, async (version) => {
    const checked = checkedCorrection(correction, version);
    if (checked === undefined) throw wrong('The service sent a correction that no phone may show.');
    const { issuer, tenant, environment, company } = place;
    const of = { issuer, tenant, environment, company, correctionId: correction.id };
    const shown = { ...of, createdAt: correction.createdAt, correction: checked };
    const { timestamp: decidedAt } = await createUse(phone, version, watch);
    const choice = { decision, decidedAt };
    const work = { kind: 'correction-decision', shown, choice } as const;
    const proof = await proveToSend(phone, version, work, watch);
    return phone.service.phone.attendance.decideCorrection(proof, { signal: watch.signal });
  });
}
