import { originOf } from '../codecs/address.js';
import type { AttendanceContext } from '../generated/api.js';
import { identityOf, type PhonePorts, type Watch, whenOnline } from '../phone/ports.js';
import type { Secret } from '../phone/records.js';
import { SvcError } from '../transport/errors.js';
import { statementOf } from './statements.js';

/**
 * What a punch says, by the code of a desk, or without one for the phone's own place. Its `scannedAt` is the time of the punch, which can be
 * sent until `submitUntil`. Show all of it before the person clocks in or out.
 * @throws SvcError `attendance_code_invalid`, `attendance_network_refused`, `foreign_code` if it is of another account than the identity
 */
export async function readContext<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  code?: string,
  watch: Watch = {},
): Promise<AttendanceContext> {
  const { tenantId, environment } = await identityOf(phone, id);
  await whenOnline(phone, watch);
  const where = code === undefined ? { tenantId, environment } : { code };
  const { signal } = watch;
  const context = await phone.service.phone.attendance.context(where, { signal });
  if (context.tenant !== tenantId || context.environment !== environment)
    throw new SvcError('foreign_code', 'This code is of another account than the identity of the phone.');
  const isOwn =
    context.issuer === originOf(phone.service.baseUrl) &&
    context.mode === (context.place === null ? 'remote' : 'desk') &&
    (code !== undefined || context.place === null);
  if (!isOwn) throw unusable();
  try {
    statementOf(context, { type: 'check_in' }, NOWHERE);
  } catch (cause) {
    throw unusable(cause);
  }
  return context;
}

const NOWHERE = '00000000-0000-4000-8000-000000000000';

const unusable = (cause?: unknown) =>
  new SvcError('receipt_wrong', 'The service sent a place or time that no phone may show.', { cause });
