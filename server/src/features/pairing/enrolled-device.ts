import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import { deviceIdOf } from '../../http/principal.js';
import type { Read, Write } from '../../ledger/write.js';
import { judgeSignature } from '../devices/devices.js';
import type { CreateBody } from './pairing.schema.js';

/** The device with a key that shows a session's code. */
export interface EnrolledDevice {
  readonly deviceId: string;
  /** Uses its signature up. A session of the device has none. */
  readonly spend?: (w: Write) => Promise<void>;
}

/** The device that sent the request with its session, or that signed the body. 401 for a wrong signature. */
export async function enrolledDeviceOf({
  deps,
  read,
  principal,
  body: { device: signed, ...body },
}: {
  readonly deps: Pick<Deps, 'clock'>;
  readonly read: Read;
  readonly principal: object;
  readonly body: Static<typeof CreateBody>;
}): Promise<EnrolledDevice | undefined> {
  const deviceId = deviceIdOf(principal);
  if (deviceId !== null && signed)
    invalid('body.device', 'is not for the session of a device, which names it');
  if (body.sameDevice && (deviceId !== null || signed))
    invalid('body.sameDevice', 'is not for a device that others scan');
  return deviceId === null ? signed && judgeSignature(deps, read, signed, body) : { deviceId };
}
