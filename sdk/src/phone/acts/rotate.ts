import { isSvcError } from '../../transport/errors.js';
import type { Reply } from '../../transport/transport.js';
import { afterUse, renewed, settle } from '../in-force.js';
import { changeIdentity, identityOf, type PhonePorts, type Watch } from '../ports.js';
import type { Identity, Renewal, Secret } from '../records.js';
import { createUse, proveToSend, sendAttested } from '../send.js';

/**
 * Gives the identity a new secret, which is stored before it is sent. If the response is lost, the phone keeps both, and this can be
 * called again: it first finds out whether the new one is already in force. Undefined: it was, and nothing else was sent.
 */
export const rotate = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch = {},
): Promise<Reply<'rotateIdentity'> | undefined> =>
  phone.vault.alone(`key:${id}`, async () => {
    const stored = await identityOf(phone, id);
    watch.onStage?.('unlocking');
    const settled = async (identity: Identity<S>) => {
      await settle(phone, { ...renewed(identity), renewal: identity.renewal } as Identity<S>);
      return undefined;
    };
    if (stored.renewal && (await isInForce(phone, renewed(stored), watch))) return settled(stored);
    const identity = await start(phone, stored, watch);
    try {
      return await send(phone, identity, watch);
    } catch (error) {
      // The service rejected the only request with this secret.
      const isUnused = isSvcError(error, 'rate_limit_exceeded', 'device_attestation_required');
      if (isUnused && !stored.renewal) await changeIdentity(phone, id, withoutRenewal);
      // An earlier request may have arrived in the meantime, and then the old secret proves nothing any more.
      const isUnknown = isSvcError(error, 'verification_failed');
      if (!isUnknown || !(await isInForce(phone, renewed(identity), watch))) throw error;
      return settled(identity);
    }
  });

const withoutRenewal = <S extends Secret>({ renewal: _, ...identity }: Identity<S>): Identity<S> =>
  identity as unknown as Identity<S>;

/**
 * Stores the new secret next to the old one. One that was made before is used again. Both are kept until the last request can no longer
 * arrive, so each request starts that time again.
 */
async function start<S extends Secret>(
  phone: PhonePorts<S>,
  identity: Identity<S>,
  watch: Watch,
): Promise<Identity<S>> {
  const { timestamp } = await createUse(phone, identity, watch);
  const startedAt = new Date(timestamp).toISOString();
  const secret = identity.renewal ?? (await phone.prover.renew(identity));
  const renewal = { ...secret, startedAt } as unknown as Renewal<S>;
  await changeIdentity(phone, identity.id, (stored) => ({ ...stored, renewal }));
  return { ...identity, renewal };
}

async function send<S extends Secret>(phone: PhonePorts<S>, identity: Identity<S>, watch: Watch) {
  const next = renewed(identity);
  const use = await createUse(phone, identity, watch);
  const proof = await proveToSend(phone, identity, { kind: 'rotate', use, renewed: next }, watch);
  const of = { purpose: 'rotate', subject: proof.nonce } as const;
  const reply = await sendAttested(phone, identity, of, proof, watch, (attestation) =>
    phone.service.phone.identity.rotate({ ...proof, attestation }),
  );
  const { commitment } = next;
  await changeIdentity(phone, identity.id, (stored) => ({
    ...afterUse(stored, commitment, phone.service.serverNow()),
    enrolment: reply.enrolment,
  }));
  return reply;
}

/** Whether the service accepts a proof of this secret. */
async function isInForce<S extends Secret>(
  phone: PhonePorts<S>,
  identity: Identity<S>,
  watch: Watch,
): Promise<boolean> {
  const use = await createUse(phone, identity, watch);
  const proof = await proveToSend(phone, identity, { kind: 'identities', use }, watch);
  try {
    await phone.service.phone.identity.list(proof, { signal: watch.signal });
    return true;
  } catch (error) {
    if (isSvcError(error, 'verification_failed')) return false;
    throw error;
  }
}
