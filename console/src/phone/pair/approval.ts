import { type EnrolledAt, isSvcError, type PairingCode, readPairingCode, Svc, SvcError } from '@svc/sdk';
import { confirmIdentity, heldIdentities, type Identity, idOf } from '../identities/identity';
import { claimKeyOf, type Link, linkOf } from '../link/links';
import { whenOnline } from '../offline/online';
import { inProver } from '../prover/prover';
import { SERVICE, svc } from '../service';
import { unlock } from '../vault/protection';

/** A desktop's code that this phone can answer, with what it answers with. */
export interface Approvable {
  readonly code: PairingCode;
  /** One, and behind it another whose registration nobody knows the end of. */
  readonly identities: readonly Identity[];
  readonly link: Link;
}

class NotRegistered extends Error {
  constructor() {
    super(
      'This phone is not registered yet. Ask the desk of your account for a registration code, and scan it first.',
    );
  }
}

class NotLinked extends Error {
  constructor() {
    super(
      'This phone is registered, but not linked with the account, so it cannot sign desktops in. Scan the link on the dashboard’s page “Pairing”, then the desktop’s code again.',
    );
  }
}

/**
 * The identity and the link that a code is for.
 * @throws SvcError `foreign_code` for a code of another service, account or environment
 * @throws NotRegistered, NotLinked
 */
export async function matchCode(text: string, code: PairingCode): Promise<Approvable> {
  const identities = await heldIdentities();
  const nearness = ({ tenantId, environment }: EnrolledAt) =>
    2 * Number(tenantId === code.tenantId) + Number(environment === code.environment);
  const [identity] = identities.sort(
    (left, right) => nearness(right) - nearness(left) || Number(right.confirmed) - Number(left.confirmed),
  );
  if (identity === undefined) {
    readPairingCode(text, { ...code, baseUrl: SERVICE });
    throw new NotRegistered();
  }
  readPairingCode(text, identity);
  const link = await linkOf(idOf(identity));
  if (link === undefined) throw new NotLinked();
  if (code.expiresAtSeconds * 1000 <= Date.now())
    throw new SvcError('pairing_session_expired', 'It ran out before it was read.');
  return { code, identities: identities.filter((other) => idOf(other) === idOf(identity)), link };
}

/**
 * A code that was used, or that the service does not know, is not worth a fingerprint. What else fails shows when it is sent.
 * The service learns that somebody looks at the code, and not who.
 */
export async function expectUsable({ sessionId }: PairingCode, signal: AbortSignal): Promise<'issued'> {
  const { state } = await svc.pairing.getPublic(sessionId, { signal }).catch((error: unknown) => {
    if (isSvcError(error, 'pairing_session_not_found')) throw error;
    return { state: 'issued' };
  });
  if (state === 'bound') throw new SvcError('pairing_session_already_bound', 'It was used already.');
  return 'issued';
}

export type Stage = 'unlocking' | 'loading' | 'proving' | 'waiting' | 'sending';

type Watch = { readonly signal: AbortSignal; onStage(stage: Stage): void };

/** Proves, and sends the proof: without a network as soon as there is one, if the code still lives then. */
export async function approve(text: string, { code, identities, link }: Approvable, watch: Watch) {
  for (const [index, identity] of identities.entries())
    try {
      return await approveAs(identity, text, code, link, watch);
    } catch (error) {
      // Perhaps it was revoked, and the one behind it is what the person was registered with anew.
      const isLast = index === identities.length - 1;
      if (isLast || !isSvcError(error, 'verification_failed')) throw error;
    }
}

async function approveAs(
  identity: Identity,
  text: string,
  code: PairingCode,
  link: Link,
  { signal, onStage }: Watch,
): Promise<void> {
  signal.throwIfAborted();
  onStage('unlocking');
  const key = await unlock(identity.protection);
  const work = { kind: 'pairing', key, identity, code: text, enrolledAt: identity } as const;
  const { sessionId, ...proof } = await inProver(work, onStage);
  await whenOnline(signal, () => onStage('waiting'));
  if (code.expiresAtSeconds * 1000 <= Date.now())
    throw new SvcError('pairing_session_expired', 'It ran out before there was a network.');
  const service = new Svc({ baseUrl: SERVICE, apiKey: await claimKeyOf(link) });
  onStage('sending');
  await service.pairing.submitProof(sessionId, proof, { signal });
  if (!identity.confirmed) await confirmIdentity(identity);
}
