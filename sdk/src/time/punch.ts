import type { AttendanceContext } from '../generated/api.js';
import { withKeyInForce } from '../phone/in-force.js';
import { type PhonePorts, type Watch, whenOnline } from '../phone/ports.js';
import type { Secret } from '../phone/records.js';
import { proveToSend } from '../phone/send.js';
import { isSvcError } from '../transport/errors.js';
import { checkReceipt, type PunchReceipt } from './receipt.js';
import { type AttendanceStatement, type PunchChoice, statementOf } from './statements.js';

/** A punch that can be sent, also again: keep it until there is a receipt, and a lost answer is no second punch. */
export interface Punch {
  readonly statement: AttendanceStatement;
  readonly ticket: string;
}

/** How long the service answers the same punch again, after the scan. */
const REPEAT_MS = 10 * 60_000;
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;
const LOST = ['unreachable', 'timed_out', 'connection_cut', 'gateway_failed'] as const;

/** A punch of exactly what the person saw and chose. The phone draws its nonce. */
export const preparePunch = (context: AttendanceContext, choice: PunchChoice): Punch => ({
  statement: statementOf(context, choice, globalThis.crypto.randomUUID()),
  ticket: context.ticket,
});

/** Whether the service still answers the same punch again. `now` is the service's time. */
export const canSendAgain = ({ statement }: Punch, now: number): boolean =>
  now - Date.parse(statement.scannedAt) < REPEAT_MS;

/**
 * Proves the punch, sends it, and recomputes the receipt before it returns. After a lost answer it sends the same again, as can the caller.
 * @throws SvcError `receipt_wrong` if the answer does not show what was recorded, `attendance_code_invalid` if it is too late,
 * `attendance_remote_refused`, `attendance_network_refused`, `name_not_confirmed`, `verification_failed`
 */
export function punch<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  { statement, ticket }: Punch,
  watch: Watch = {},
): Promise<PunchReceipt> {
  watch.onStage?.('unlocking');
  return withKeyInForce(phone, id, async (version) => {
    const proof = await proveToSend(phone, version, { kind: 'punch', statement }, watch);
    const { signal } = watch;
    const reply = await despiteLoss(phone, watch, () =>
      phone.service.phone.attendance.create({ ...proof, ticket }, { signal }),
    );
    return checkReceipt(statement, reply, version.enrolment?.userId);
  });
}

/** @internal Sends what changes nothing a second time, until there is an answer. */
export async function despiteLoss<S extends Secret, T>(
  phone: PhonePorts<S>,
  watch: Watch,
  send: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await send();
    } catch (error) {
      const isLost = LOST.some((code) => isSvcError(error, code));
      if (!isLost || attempt === ATTEMPTS || phone.service.pause === undefined) throw error;
      await phone.service.pause(PAUSE_MS, watch.signal);
      await whenOnline(phone, watch);
    }
}
