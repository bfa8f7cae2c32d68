import { type Environment, isSvcError, type PhoneAddition, type Svc } from '@svc/sdk';
import {
  commitToIdentity,
  createRandom,
  digitsToExpect,
  digitsToShow,
  type PhoneIdentity,
} from '@svc/sdk/prover';
import { Failure } from '../failure.js';
import type { ProofSigner } from './passkey/passkey.js';
import { type Enrollment, identityOf, newEnrollment, type PhoneFile } from './phone-file.js';
import { identityProver, type OwnPhone, readOwn } from './places.js';

/** The addition in the state that the other phone's step leads to. @throws Failure if it ended instead */
async function next(
  svc: Svc,
  id: string,
  from: PhoneAddition['state'],
  to: PhoneAddition['state'],
): Promise<PhoneAddition> {
  const addition = await svc.phone.additions.waitWhile(id, from);
  if (addition.state === to) return addition;
  throw new Failure(
    'refused',
    addition.state === 'rejected'
      ? 'The addition was rejected: the digits were wrong. Start again with `svc phone add-device`.'
      : `The addition is ${addition.state}, which this phone did not expect. Start again with \`svc phone add-device\`.`,
  );
}

/** What the old phone tells the person. */
export interface AddingSteps {
  /** The code and link are for the new phone. */
  onCode(addition: { readonly code: string; readonly deeplink: string; readonly expiresAt: string }): void;
  /** Asks for the digits that the new phone shows. */
  askDigits(): Promise<string>;
  /** Of the old phone's passkey. */
  readonly sign?: ProofSigner | undefined;
}

/** The old phone's part: it opens an addition, compares the digits, and adds the new phone if they are right. */
export async function addDevice(
  { svc, place }: Pick<OwnPhone, 'svc' | 'place'>,
  identity: PhoneIdentity,
  { onCode, askDigits, sign }: AddingSteps,
) {
  const prover = await identityProver();
  const { additions } = svc.phone;
  const a = createRandom();
  const opened = await additions.open(
    await prover.proveRendezvous(identity, await svc.phone.createUse(place), a),
  );
  const { id } = opened;
  onCode(opened);
  const { c } = await next(svc, id, 'open', 'joined');
  const use = await svc.phone.createUse(place);
  await additions.reveal(id, { a, nonce: use.nonce, timestamp: use.timestamp });
  const answered = await next(svc, id, 'revealed', 'opened');
  // `c` from before `a` was known: a service that changed it later would be noticed here.
  const expected = digitsToExpect(answered, { did: identity.did, a, c: String(c) });
  const typed = expected === undefined ? undefined : (await askDigits()).replaceAll(/\s/g, '');
  if (expected === undefined || typed !== expected) {
    await additions.reject(id, a);
    throw new Failure(
      'refused',
      'The digits do not match, so no phone was added. If they differ again, somebody may be between the two phones.',
    );
  }
  const { newDid, newCommitment, newProof, newPublicSignals } = answered;
  if (newDid === null || newCommitment === null || newProof === null || newPublicSignals === null)
    throw new Failure('unreachable', 'The service returned an incomplete addition.');
  const joined = {
    ...{ newDid, newCommitment, newProof },
    newPublicSignals: newPublicSignals as unknown as readonly [string, string, string],
  };
  const body = await prover.proveAdd(identity, use, joined);
  const attestation = sign?.({ purpose: 'add', subject: use.nonce }, body);
  return svc.phone.identity.add({ ...body, additionId: id, ...(attestation && { attestation }) });
}

/** What the new phone tells the person. */
export interface JoiningSteps {
  readonly onDigits: (digits: string, companyName: string) => void;
}

/** The new phone's part: it commits to a new identity, shows the digits, and waits until the old phone has added it. */
export async function joinDevice(
  svc: Svc,
  phone: PhoneFile,
  code: string,
  { onDigits }: JoiningSteps,
): Promise<{ enrollment: Enrollment; inForceAt: string | null }> {
  const draft = newEnrollment({ baseUrl: svc.baseUrl, tenantId: '', environment: '', sessionId: '' });
  const identity = identityOf(draft);
  const b = createRandom();
  const joined = await svc.phone.additions.join(code, commitToIdentity(identity, b));
  const { id, tenantId, environment, did, companyName } = joined;
  const enrollment = { ...draft, tenantId, environment, sessionId: id };
  // Saved before the answer is sent, so that an identity that was added never lacks its secret.
  phone.save(enrollment);
  const { a, nonce, timestamp } = await next(svc, id, 'joined', 'revealed');
  if (a === null || nonce === null || timestamp === null)
    throw new Failure('unreachable', 'The service returned an incomplete addition.');
  const use = { tenantId, environment: environment as Environment, nonce, timestamp };
  const proof = await (await identityProver()).proveJoin(identity, use, did);
  await svc.phone.additions.answer(id, { ...proof, b });
  onDigits(digitsToShow(identity, { id, did, a, b }), companyName);
  let inForceAt: string | null = null;
  try {
    ({ inForceAt } = await next(svc, id, 'opened', 'completed'));
  } catch (error) {
    if (!isSvcError(error, 'addition_not_found')) throw error;
    // It has expired. The old phone may have completed it just before.
    if ((await readOwn({ svc, place: use }, identity)) === undefined) throw error;
  }
  const done = { ...enrollment, sessionId: null };
  phone.save(done);
  return { enrollment: done, inForceAt };
}
