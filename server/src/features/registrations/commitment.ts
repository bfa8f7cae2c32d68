import { commitmentFromHex, commitmentToHex } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import { reader } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { consumeCode, followCode, mintCode } from '../codes/codes.js';
import { noteAttestation } from '../devices/devices.js';
import { phoneActor } from './enrolment.js';
import { REGISTRATION_TOPIC } from './following/context.js';
import type { CommitmentBody } from './registrations.schema.js';
import * as store from './registrations.store.js';
import { linksOf, type Phone } from './session.js';

/** Step 2: stores the phone's commitment. The DID and commitment are not reserved until the proof is accepted. */
export async function submitCommitment(
  { deps, address, writeIn }: Phone,
  input: Static<typeof CommitmentBody>,
) {
  const commitment = commitmentFromHex(input.commitment);
  if (commitment === null) invalid('body.commitment', 'must be below the BN254 scalar field');
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    followCode(deps, 'enroll', input.enroll_code, now, ({ scope, subjectId: id }) =>
      store.findEnrolling(reader(deps.db, scope), { id, sessionId }, now),
    ),
  );
  if (opened === undefined) return fail('enroll_failed', { because: 'code or session' });
  const { session_id, device_id, code } = opened;
  const challengeNonce = deps.random.bytes(16).toString('hex');
  const learned = { did: canonicalDid(input.did), commitment: commitmentToHex(commitment), challengeNonce };
  const next = await writeIn(
    code.scope,
    phoneActor(device_id),
    'registration.commitment_submitted',
    async (w) => {
      w.audit({ entityType: 'registration', entityId: session_id });
      const attestationKind = input.attestation_kind;
      const [moved, consumed, minted] = await Promise.all([
        store.moveSession(w, session_id, 'commit', learned, now),
        consumeCode(w, code.hash, 'enroll', now),
        mintCode(w, deps, 'verify', session_id),
        device_id && attestationKind && noteAttestation(w, device_id, attestationKind, now),
      ]);
      if (!consumed || !moved) fail('enroll_failed', { because: 'used concurrently' });
      const links = linksOf(deps, 'verify', session_id, minted.code, challengeNonce);
      return { step: 'verify', ...minted, ...links, challenge_nonce: challengeNonce };
    },
    'tenant',
  );
  deps.bus.publish(REGISTRATION_TOPIC, session_id);
  return { session_id, next };
}
