import { Svc } from '@svc/sdk';
import { forgetDevice, type KeptDevice } from './kept-device';

/**
 * Deletes the key, if a member of the same account allows it. Their log-in is ended again, and no other of theirs. False for a
 * member of another account.
 */
export async function leaveDesk(
  device: KeptDevice,
  credentials: { readonly email: string; readonly password: string },
): Promise<boolean> {
  const baseUrl = location.origin;
  const { token, tenant } = await new Svc({ baseUrl }).console.logIn(credentials);
  await endLogIn(new Svc({ baseUrl, consoleToken: token }));
  if (tenant.id !== device.tenantId) return false;
  await forgetDevice();
  return true;
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
