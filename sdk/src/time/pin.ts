import type { PhonePorts, Watch } from '../phone/ports.js';
import type { Secret } from '../phone/records.js';
import { asPerson } from '../phone/send.js';
import type { Reply } from '../transport/transport.js';

/** Sets the PIN of six digits with which the person clocks in at desks without a phone. It replaces the one from before. */
export const setAttendancePin = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  pin: string,
  watch: Watch = {},
): Promise<Reply<'setAttendancePin'>['pin']> =>
  asPerson(phone, id, { kind: 'attendance-pin', pin }, watch, (proof) =>
    phone.service.phone.attendance.setPin(proof, { signal: watch.signal }),
  );
