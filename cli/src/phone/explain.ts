import { createHash } from 'node:crypto';
import { isSvcError, type Svc } from '@svc/sdk';
import { CIRCUIT, CIRCUIT_VERSION } from '@svc/zk/setup/artifacts';
import { PINNED_SETUPS } from '@svc/zk/setup/pinned-setups';
import type { Nonce } from './acts.js';

const MAX_SKEW_MS = 5 * 60_000;

/** How far two clocks differ, for a person. */
function describeSkew(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${amount} ${ms < 0 ? 'behind' : 'ahead of'}`;
}

/** The service does not reveal why it rejected a proof. This names the causes that the phone can detect. */
export async function explainRejection(
  svc: Svc,
  error: unknown,
  times?: { requested: Nonce; sent: Nonce },
): Promise<string | undefined> {
  if (!isSvcError(error, 'verification_failed')) return undefined;
  const skew = times ? times.sent.timestamp - times.requested.timestamp : 0;
  if (Math.abs(skew) > MAX_SKEW_MS)
    return `This machine’s clock is ${describeSkew(skew)} the service’s. At most five minutes are allowed. Set the clock, or omit --own-nonce.`;
  if (!(await hasOurKey(svc)))
    return 'The server’s keys come from another set-up than this command line’s, so it rejects all its proofs. Use the command line of the server’s version.';
  return 'The identity may be revoked, its user inactive, or the phone’s file outdated. The service does not reveal which. `svc phone register --again` registers a new identity. If the phone signs with a passkey, that may be revoked: `svc phone passkey` enrolls a new one.';
}

async function hasOurKey(svc: Svc): Promise<boolean> {
  try {
    const vkey = await svc.download(`/zk/${CIRCUIT}-${CIRCUIT_VERSION}/${CIRCUIT}.vkey.json`);
    const sha256 = createHash('sha256').update(vkey).digest('hex');
    return PINNED_SETUPS.some((pin) => pin.sha256.vkey === sha256);
  } catch (error) {
    if (isSvcError(error) && error.serverMessage !== undefined) return false;
    throw error;
  }
}
