import { createHash } from 'node:crypto';
import { CIRCUIT, CIRCUIT_VERSION } from '@svc/zk/setup/artifacts';
import { PINNED_SETUPS } from '@svc/zk/setup/pinned-setups';
import type { Answer, Client } from '../client.js';
import type { Nonce } from './acts.js';

const MOST_SKEW_MS = 5 * 60_000;

/** How far two clocks are apart, for a person; empty when it is nothing. */
function describeSkew(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${amount} ${ms < 0 ? 'behind' : 'ahead of'}`;
}

/** The service tells nobody why a proof was refused; what can be seen from here is looked at. */
export async function explainRefusal(
  client: Client,
  answer: Answer,
  times?: { asked: Nonce; sent: Nonce },
): Promise<string | undefined> {
  if (answer.body?.error !== 'verification_failed') return undefined;
  const skew = times ? times.sent.timestamp - times.asked.timestamp : 0;
  if (Math.abs(skew) > MOST_SKEW_MS)
    return `This machine’s clock is ${describeSkew(skew)} the service’s, and five minutes is the most. Set the clock, or leave out --own-nonce.`;
  if (!(await hasOurKey(client)))
    return 'The server’s keys are of another set-up than this command line’s, so it believes none of its proofs. Use the command line of its version.';
  return 'The identity may be revoked, its user inactive, or the phone’s file an old one: the service does not tell which. `svc phone register --again` registers it anew.';
}

async function hasOurKey(client: Client): Promise<boolean> {
  const path = `/zk/${CIRCUIT}-${CIRCUIT_VERSION}/${CIRCUIT}.vkey.json`;
  const { status, text } = await client.ask('GET', path);
  if (status !== 200) return false;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return PINNED_SETUPS.some((pin) => pin.sha256.vkey === sha256);
}
