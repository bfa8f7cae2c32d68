import { type AttestationParams, isSvcError } from '@svc/sdk';
import { type AttestedPurpose, assertionDigest } from '@svc/zk/attestation';
import type { Identity } from '../identities/identity';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import { askPasskey } from '../vault/passkey';

type SentProof = Pick<Parameters<typeof assertionDigest>[0], 'proof' | 'publicSignals'>;

/** What the proof is for. */
interface Of {
  readonly purpose: AttestedPurpose;
  /** The nonce, or the ID of the session or the approval. */
  readonly subject: string;
  /** Whether the service has said that it wants an assertion. */
  readonly isRequired?: boolean | undefined;
}

/** The company asks for a passkey, and this identity has none. */
class NoPasskey extends PhoneError {
  constructor() {
    super('device_attestation_required', t.passkey.required);
  }
}

/**
 * Sends a proof, with an assertion by the identity's passkey if the company asks for one. The person then unlocks the phone once more,
 * because the assertion is over the proof.
 */
export async function sendAttested<T>(
  identity: Identity,
  { isRequired = false, ...of }: Of,
  proof: SentProof,
  onStage: (stage: 'signing' | 'sending') => void,
  send: (attestation?: AttestationParams) => Promise<T>,
): Promise<T> {
  try {
    if (!isRequired) return await send();
  } catch (error) {
    if (!isSvcError(error, 'device_attestation_required')) throw error;
  }
  onStage('signing');
  const attestation = await sign(identity, of, proof);
  onStage('sending');
  try {
    return await send(attestation);
  } catch (error) {
    throw isSvcError(error, 'verification_failed')
      ? new PhoneError('verification_failed', t.passkey.notAccepted)
      : error;
  }
}

async function sign(
  identity: Identity,
  { purpose, subject }: Of,
  { proof, publicSignals }: SentProof,
): Promise<AttestationParams> {
  const { protection, attestationKeyId: keyId, tenantId, environment } = identity;
  if (protection.kind !== 'screen-lock' || keyId === undefined) throw new NoPasskey();
  const digest = assertionDigest({ tenantId, environment, purpose, subject, proof, publicSignals });
  const { assertion } = await askPasskey(protection, new Uint8Array(digest));
  return { keyId, assertion };
}
