import { isSvcError } from '@svc/sdk';
import type { Identity, Renewal } from '../identities/identity';
import { unlocker } from '../identities/in-force';
import { renewed, sentAgain, settleKey } from '../identities/renewal';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import { createUse, proveToSend, type SendWatch } from '../prover/prove-to-send';
import { runInProver } from '../prover/prover';
import { sendAttested } from '../prover/send-attested';
import { svc } from '../service';
import { change, read } from '../vault/database';
import { createProtection } from '../vault/protection';

type Unlock = ReturnType<typeof unlocker>;

/**
 * Gives the identity a new secret, which is stored before it is sent. If the response is lost, the phone keeps both, and this can be
 * called again: it first finds out whether the new one is already in force.
 */
export const changeKey = (id: string, watch: SendWatch): Promise<void> =>
  navigator.locks.request(`key:${id}`, async () => {
    const stored = await read<Identity>('identities', id);
    if (stored === undefined) throw new PhoneError('not_registered', t.errors.notRegistered);
    watch.onStage('unlocking');
    const unlockOnce = unlocker();
    if (stored.renewal && (await isInForce(renewed(stored), unlockOnce, watch)))
      return settleKey(renewed(stored));
    const identity = stored.renewal ? await restartRenewal(stored) : await startRenewal(stored, unlockOnce);
    try {
      await rotate(identity, unlockOnce, watch);
    } catch (error) {
      if (isSvcError(error, 'rate_limit_exceeded')) {
        // The service rejected the only request with this secret.
        if (!stored.renewal) await drop(identity);
        throw (error.retryAfterSeconds ?? 0) > HOUR_S ? new TooOften() : error;
      }
      if (isSvcError(error, 'device_attestation_required') && !stored.renewal) await drop(identity);
      // An earlier request may have arrived in the meantime, and then the old secret proves nothing any more.
      const isUnknown = isSvcError(error, 'verification_failed');
      if (!isUnknown || !(await isInForce(renewed(identity), unlockOnce, watch))) throw error;
      await settleKey(renewed(identity));
    }
  });

const HOUR_S = 3_600;

/** The account allows a few changes a day. */
class TooOften extends PhoneError {
  constructor() {
    super('rate_limit_exceeded', t.phones.key.tooOften);
  }
}

const drop = ({ renewal: _, ...identity }: Identity): Promise<void> =>
  change(['identities'], (store) => store('identities').put(identity));

/** Creates the new secret and stores it next to the old one. */
async function startRenewal(identity: Identity, unlockOnce: Unlock): Promise<Identity> {
  const startedAt = new Date().toISOString();
  // Somebody with a copy of the browser's storage would also have its key. The screen lock's key is not stored anywhere.
  const own = identity.protection.kind === 'browser' ? await createProtection('browser', '') : undefined;
  const key = own?.key ?? (await unlockOnce(identity.protection));
  const { commitment, secret } = await runInProver({ kind: 'renew', key, did: identity.did });
  const renewal: Renewal = { commitment, secret, startedAt, ...(own && { protection: own.protection }) };
  const started = { ...identity, renewal };
  await change(['identities'], (store) => store('identities').put(started));
  return started;
}

/** Both secrets are kept until the last request can no longer arrive, so each request starts that time again. */
async function restartRenewal(identity: Identity): Promise<Identity> {
  const restarted = sentAgain(identity, Date.now());
  await change(['identities'], (store) => store('identities').put(restarted));
  return restarted;
}

async function rotate(identity: Identity, unlockOnce: Unlock, watch: SendWatch): Promise<void> {
  const next = renewed(identity);
  const proof = await proveToSend(
    {
      kind: 'rotate',
      identity,
      key: await unlockOnce(identity.protection),
      renewed: next,
      renewedKey: await unlockOnce(next.protection),
      use: await createUse(identity, watch),
    },
    watch,
  );
  const of = { purpose: 'rotate', subject: proof.nonce } as const;
  const { enrolment } = await sendAttested(identity, of, proof, watch.onStage, (attestation) =>
    svc.phone.identity.rotate({ ...proof, attestation }),
  );
  await settleKey(next, { enrolment });
}

/** Whether the service accepts a proof of this secret. */
async function isInForce(identity: Identity, unlockOnce: Unlock, watch: SendWatch): Promise<boolean> {
  const key = await unlockOnce(identity.protection);
  const use = await createUse(identity, watch);
  const proof = await proveToSend({ kind: 'identities', key, identity, use }, watch);
  return svc.phone.identity.list(proof, { signal: watch.signal }).then(
    () => true,
    (error: unknown) => {
      if (isSvcError(error, 'verification_failed')) return false;
      throw error;
    },
  );
}
