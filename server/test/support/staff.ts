import { deviceToken, enrolWithKey, type KeyedDevice } from './device-keys.js';
import type { Account, Reply, Service } from './service.js';

/** A desk with a session. */
export interface OpenDesk {
  readonly device: KeyedDevice;
  readonly session: string;
}

export async function openedDesk(
  service: Service,
  account: Account,
  environment: 'live' | 'test' = 'live',
): Promise<OpenDesk> {
  const device = await enrolWithKey(service, account, environment);
  return { device, session: await deviceToken(service, device) };
}

interface ByPassword {
  readonly email: string;
  readonly password: string;
}

export const startStaff = (
  service: Service,
  { session }: Pick<OpenDesk, 'session'>,
  { email, password }: ByPassword,
): Promise<Reply> => service.call('POST', '/v1/staff/session', { as: session, body: { email, password } });

/** The headers of a member at a desk. */
export async function staffAt(
  service: Service,
  desk: OpenDesk,
  member: ByPassword,
): Promise<Readonly<Record<string, string>>> {
  const { status, text, body } = await startStaff(service, desk, member);
  if (status !== 201) throw new Error(`starting at the desk returned ${status} ${text}`);
  return { authorization: `Bearer ${body.token}`, 'x-device-session': desk.session };
}
