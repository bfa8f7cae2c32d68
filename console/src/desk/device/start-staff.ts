import { type SvcDevice, SvcRequests, SvcStaff } from '@svc/sdk';
import { startPasskeySession } from '../../dashboard/login/open-with-passkey';
import { getPasskey } from '../../dashboard/operations/webauthn';
import type { LogIn } from './leave';
import type { DeskService } from './service';

/** A member begins to work at this desk. Their token is kept in memory only, so that a reload ends it. */
export async function startStaff(service: DeskService, logIn: LogIn): Promise<SvcStaff> {
  const body = logIn === 'passkey' ? { credential: await passkey() } : logIn;
  return service.run((desk: SvcDevice) => SvcStaff.start(desk, body));
}

const passkey = async () =>
  getPasskey(await startPasskeySession(new SvcRequests({ baseUrl: location.origin })));
