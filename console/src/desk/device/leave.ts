import { Svc } from '@svc/sdk';
import { openWithPasskey } from '../../dashboard/login/open-with-passkey';
import { forgetDevice, type KeptDevice } from './kept-device';

/** How a member shows who they are. */
export type LogIn = { readonly email: string; readonly password: string } | 'passkey';

/**
 * Deletes the key, if a member of the same account allows it. Their log-in is ended again, and no other of theirs. False for a
 * member of another account.
 */
export async function leaveDesk(device: KeptDevice, logIn: LogIn): Promise<boolean> {
  const tenant = logIn === 'passkey' ? await tenantByPasskey() : await tenantByPassword(logIn);
  if (tenant.id !== device.tenantId) return false;
  await forgetDevice();
  return true;
}

/** A passkey logs the browser in. Nobody leaves the desk before the browser is logged out again. */
async function tenantByPasskey() {
  const svc = new Svc({ baseUrl: location.origin, consoleSession: true });
  const { tenant } = await openWithPasskey(svc);
  await svc.request('consoleCloseSession', {});
  return tenant;
}

async function tenantByPassword(credentials: Exclude<LogIn, string>) {
  const baseUrl = location.origin;
  const { token, tenant } = await new Svc({ baseUrl }).console.logIn(credentials);
  await endLogIn(new Svc({ baseUrl, consoleToken: token }));
  return tenant;
}

/** The token is forgotten anyway, so that a failure must keep nobody here. */
async function endLogIn({ console }: Svc): Promise<void> {
  try {
    const sessions = await console.loginSessions.list();
    const own = sessions.find(({ current }) => current);
    if (own) await console.loginSessions.end(own.id);
  } catch {
    // It ends by itself after a day.
  }
}
