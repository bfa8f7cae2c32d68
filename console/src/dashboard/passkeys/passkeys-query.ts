import type { Operations } from '@svc/sdk';
import { PASSKEYS, svc } from '../api';

export type Passkey = Operations['consoleListPasskeys']['reply']['passkeys'][number];

export async function readPasskeys(signal: AbortSignal) {
  const { passkeys } = await svc.request('consoleListPasskeys', {}, { signal });
  return { items: passkeys, hasMore: false };
}

/** The reader's own. */
export const passkeysQuery = {
  queryKey: PASSKEYS,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readPasskeys(signal),
};
