import type { Operations, SvcRequests } from '@svc/sdk';
import { getPasskey, type UsedPasskey } from '../operations/webauthn';

export type Opened = Operations['consoleOpenPasskeySession']['reply'];

export const startPasskeySession = async (svc: SvcRequests, signal?: AbortSignal) =>
  (await svc.request('consoleStartPasskeySession', {}, { signal })).options;

/** Logs this browser in with a passkey, which the browser asks for unless it was chosen. */
export async function openWithPasskey(svc: SvcRequests, suggested?: UsedPasskey): Promise<Opened> {
  const credential = suggested ?? (await getPasskey(await startPasskeySession(svc)));
  return svc.request('consoleOpenPasskeySession', { body: { credential } });
}
