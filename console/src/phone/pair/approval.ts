import { type EnrolledAt, isSvcError, type PairingCode, readPairingCode, Svc, SvcError } from '@svc/sdk';
import { confirmIdentity, type Identity, idOf, readIdentities } from '../identities/identity';
import { claimKeyOf, type Link, readLink } from '../link/links';
import { whenOnline } from '../offline/online';
import { runInProver } from '../prover/prover';
import { SERVICE, svc } from '../service';
import { unlock } from '../vault/protection';

/** A desktop's code with the identities and the link that can approve it. */
export interface Approvable {
  readonly code: PairingCode;
  /** Usually one. A second one follows if it is unknown whether its registration completed. */
  readonly identities: readonly Identity[];
  readonly link: Link;
}

class NotRegistered extends Error {
  constructor() {
    super(
      'This phone is not registered yet. Ask the desk of your account for a registration code and scan it first.',
    );
  }
}

class NotLinked extends Error {
  constructor() {
    super(
      'This phone is registered but not linked with the account, so it can’t sign desktops in. Scan the link on the dashboard’s page “Pairing”, then scan the desktop’s code again.',
    );
  }
}

/**
 * Finds the identities and the link for a code.
 * @throws SvcError `foreign_code` for a code of another service, account or environment
 * @throws NotRegistered, NotLinked
 */
export async function matchCode(text: string, code: PairingCode): Promise<Approvable> {
  const identities = await readIdentities();
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
  const link = await readLink(idOf(identity));
  if (link === undefined) throw new NotLinked();
  if (code.expiresAtSeconds * 1000 <= Date.now())
    throw new SvcError('pairing_session_expired', 'The code expired before it was read.');
  return { code, identities: identities.filter((other) => idOf(other) === idOf(identity)), link };
}

/**
 * Rejects a code that was used or is unknown to the service before the person unlocks the phone. Other errors appear when the
 * proof is sent. The service learns that somebody checked the code, but not who.
 */
export async function expectUsable({ sessionId }: PairingCode, signal: AbortSignal): Promise<'issued'> {
  const { state } = await svc.pairing.getPublic(sessionId, { signal }).catch((error: unknown) => {
    if (isSvcError(error, 'pairing_session_not_found')) throw error;
    return { state: 'issued' };
  });
  if (state === 'bound') throw new SvcError('pairing_session_already_bound', 'The code was already used.');
  return 'issued';
}

export type Stage = 'unlocking' | 'loading' | 'proving' | 'waiting' | 'sending';

type Watch = { readonly signal: AbortSignal; onStage(stage: Stage): void };

/** Creates the proof and sends it. Without a network, it waits for one, and fails if the code has expired by then. */
export async function approve(text: string, { code, identities, link }: Approvable, watch: Watch) {
  for (const [index, identity] of identities.entries())
    try {
      return await approveAs(identity, text, code, link, watch);
    } catch (error) {
      // This identity may be revoked, and the next one may belong to a newer registration.
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
  const { sessionId, ...proof } = await runInProver(work, onStage);
  await whenOnline(signal, () => onStage('waiting'));
  if (code.expiresAtSeconds * 1000 <= Date.now())
    throw new SvcError('pairing_session_expired', 'The code expired before there was a network.');
  const service = new Svc({ baseUrl: SERVICE, apiKey: await claimKeyOf(link) });
  onStage('sending');
  await service.pairing.submitProof(sessionId, proof, { signal });
  if (!identity.confirmed) await confirmIdentity(identity);
}
