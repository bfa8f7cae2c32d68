import { registrationBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { networkOf } from '../../base/address.js';
import { equalSecrets } from '../../base/crypto/keyring.js';
import { Failure, fail } from '../../base/errors.js';
import { DatabaseUnavailableError } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import { unaudited } from '../../ledger/unaudited.js';
import { isKeyTaken, readSent } from '../attestation/attestation.js';
import { followCode, UNKNOWN_CODE } from '../codes/codes.js';
import { nameTaken } from '../identities/identities.js';
import { judge } from '../proofs/proofs.js';
import { close, unlessEnded } from './closing.js';
import { admissionOf, enroll, phoneActor, type Reserved } from './enrolment.js';
import { REGISTRATION_TOPIC } from './following/context.js';
import type { CompleteBody } from './registrations.schema.js';
import * as store from './registrations.store.js';
import type { Phone } from './session.js';

/**
 * Step 3: a valid proof creates the user and the identity, or opens a recovery. Each attempt is reserved before its proof is
 * verified, so at most five proofs per code are verified. Every failure returns the same 404 after three statements and one
 * verification.
 */
export async function complete(
  context: Phone & Pick<BaseContext, 'onClose'>,
  input: Static<typeof CompleteBody>,
) {
  const { deps, address, writeIn } = context;
  const sender = { deps, source: { name: networkOf(address), keyless: true } };
  const sent = { proof: input.proof, publicSignals: input.public_signals, names: NAMES, confirm: true };
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const attempts = unaudited(deps.db, 'registration attempts');
  const found: { opened?: Reserved | undefined } = {};
  try {
    const { statement, flaw } = await judge(sender, sent, async () => {
      found.opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
        followCode(deps, 'verify', input.verify_code, now, ({ scope, subjectId: id, policy }) =>
          store.reserveAttempt(attempts, scope, { id, sessionId }, admissionOf(policy), now),
        ),
      );
      return statementOf(deps, found.opened ?? UNKNOWN_SESSION, input);
    });
    const { key, isAnswered } = statement;
    if (key !== undefined && 'refused' in key)
      deps.log.info({ because: key.refused }, 'an attestation key was rejected');
    else if (flaw === undefined && isAnswered && found.opened?.completable) {
      const reply = await enroll(context, found.opened, key, now);
      deps.bus.publish(REGISTRATION_TOPIC, found.opened.session_id);
      return reply;
    }
  } catch (error) {
    if (found.opened && isUnavailable(error)) await returnAttempt(deps, found.opened);
    const isRejection = error instanceof Failure && error.code === 'verify_failed';
    if (!isRejection && nameTaken(error) === undefined && !isKeyTaken(error)) throw error;
  }
  const { opened } = found;
  const { scope, subjectId } = opened?.code ?? UNKNOWN_CODE;
  const isLast = await store.failAttempt(attempts, scope, subjectId);
  if (opened && isLast) await giveUp(deps, writeIn, opened, now);
  return fail('verify_failed', { because: 'code, challenge, commitment, proof or a duplicate' });
}

const NAMES = { publicSignals: 'public_signals' } as const;

type Expected = Pick<Reserved, 'code' | 'session_id' | 'did' | 'commitment' | 'challenge_nonce'>;

/** Stands in for the session of an unknown code, so the same work is done. No proof is bound to it. */
const UNKNOWN_SESSION: Expected = {
  code: UNKNOWN_CODE,
  session_id: 'none',
  did: 'did:svc:00',
  commitment: 'none',
  challenge_nonce: 'none',
};

/** What the proof must show: the secret of the commitment that was submitted, for this session and the key that came with it. */
async function statementOf(
  deps: Pick<Deps, 'config'>,
  { code: { scope }, session_id: sessionId, did, commitment, challenge_nonce: challengeNonce }: Expected,
  { attestation, challenge_nonce: answer }: Static<typeof CompleteBody>,
) {
  const key = attestation && (await readSent(deps, { ...scope, challenge: challengeNonce }, attestation));
  const bound = { ...scope, sessionId, challengeNonce, evidenceHash: key?.evidenceHash };
  return {
    ...{ purpose: 'registration' as const, did, commitment, bindOf: () => registrationBind(bound) },
    ...{ key, isAnswered: equalSecrets(answer, challengeNonce) },
  };
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError ||
  (error instanceof Failure && error.code === 'service_unavailable');

/** Returns the attempt if the proof could not be verified. If the database is down, the attempt stays counted. */
async function returnAttempt({ db, log }: Pick<Deps, 'db' | 'log'>, opened: Reserved): Promise<void> {
  try {
    await store.returnAttempt(unaudited(db, 'registration attempts'), opened.code.scope, opened.session_id);
  } catch (err) {
    log.warn({ err, registration: opened.session_id }, 'an attempt could not be returned');
  }
}

/** The fifth failed attempt ends the session. */
async function giveUp(
  deps: Pick<Deps, 'bus' | 'db' | 'log'>,
  writeIn: Phone['writeIn'],
  opened: Reserved,
  now: Date,
): Promise<void> {
  const { session_id: id, device_id } = opened;
  const abandoned = await unlessEnded(
    writeIn(opened.code.scope, phoneActor(device_id), 'registration.abandoned', (w) =>
      close(w, id, 'abandon', now, { status: 'failure', metadata: { reason: 'five_failures' } }),
    ),
  );
  if (abandoned === undefined) return;
  deps.bus.publish(REGISTRATION_TOPIC, id);
  deps.log.info({ registration: id }, 'abandoned after five failures');
}
