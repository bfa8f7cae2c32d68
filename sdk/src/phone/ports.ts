import type { AssertedProof } from '../attestation.js';
import type { AttestationAssertion, AttestationEvidenceParams } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Change, Company, Identity, Place, Secret, Stored } from './records.js';
import type { PhoneService } from './service.js';
import type { ProofWork, ProverStage, Results } from './work.js';

/**
 * What the acts need of a phone. `S` is a secret as the phone keeps it: encrypted, or a reference to secure hardware. The acts never look
 * into it.
 */
export interface PhonePorts<S extends Secret> {
  /** The network and the clock: `phoneService`, or a `Svc`. */
  readonly service: PhoneService;
  readonly vault: Vault<S>;
  readonly prover: PhoneProver<S>;
  /** Absent: the phone signs no proofs. */
  readonly keys?: AttestationKeys<S> | undefined;
  /** Resolves when there is a network, and calls `onWait` first if there is none. Default: there always is one. */
  whenOnline?(signal: AbortSignal | undefined, onWait: () => void): Promise<void>;
  /** Names the hardware to a company. Default: random for each registration. */
  readonly fingerprint?: string | undefined;
  /** What to store of a company. Default: its name. */
  describe?(company: CompanyFacts): Company | Promise<Company>;
}

/** What the service says of a company. */
export interface CompanyFacts {
  readonly name: string | undefined;
  readonly accentColor?: string | null | undefined;
  readonly logoUrl?: string | null | undefined;
}

/** The phone's storage. It holds few records, so it is read and changed as a whole. */
export interface Vault<S extends Secret> {
  read(): Promise<Stored<S>>;
  /**
   * Applies what `work` returns for the current records: all or nothing, and durable when the promise resolves. Nothing else may change
   * the records in between. `work` may be called again if it has to.
   */
  change(work: (stored: Stored<S>) => readonly Change<S>[]): Promise<void>;
  /** Runs `work` while nobody else runs one of this name: another tab or process, if the phone has those. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Creates secrets and proves with them. The only part that sees one. */
export interface PhoneProver<S extends Secret> {
  /** A new secret, kept as this phone keeps secrets. */
  create(place?: Place): Promise<S>;
  /** A new secret for the same DID. */
  renew(identity: Identity<S>): Promise<S>;
  prove<W extends ProofWork<S>>(
    secret: S,
    work: W,
    onStage?: (stage: ProverStage) => void,
  ): Promise<Results[W['kind']]>;
  /** Its secret was deleted or is not needed: deletes what protected it. */
  forget?(secret: Partial<S>): void;
}

/** Keys in the phone's hardware that sign its proofs, such as passkeys. */
export interface AttestationKeys<S extends Secret> {
  /** Whether the phone signs every proof that can be signed. Default: only if the company asks for it. */
  readonly signsAlways?: boolean;
  /** In a registration: a key for its challenge. Absent or undefined: the phone enrolls none then. */
  enroll?(identity: Identity<S>, digest: Uint8Array, watch: Watch): Promise<MadeKey<S> | undefined>;
  /**
   * Later: a key for an identity that has none, or another one. If the identity has a `successor`, an earlier attempt made that, and the
   * service may know its key: use it again.
   */
  make(identity: Identity<S>, digest: Uint8Array, watch: Watch): Promise<MadeKey<S>>;
  /** What to store of a secret whose key was revoked. */
  withoutKey?(identity: Identity<S>): Partial<S>;
  /** Signs a digest with the identity's key. @throws if the person does not unlock it */
  sign(identity: Identity<S>, digest: Uint8Array, asserted: AssertedProof): Promise<AttestationAssertion>;
}

/** A key, as it is enrolled. `kept` is what to store of the secret from then on, if that changes. */
export interface MadeKey<S extends Secret> {
  readonly attestation: AttestationEvidenceParams;
  readonly kept?: S | undefined;
}

/**
 * What an act is doing. Between two of them, everything that it needs to go on is in the vault.
 *
 * - `unlocking`: the person unlocks the secret
 * - `creating`: a secret is created and stored
 * - `waiting`: for a network
 * - `joining`, `meeting`: for the other phone
 * - `loading`, `proving`: the prover works
 * - `enrolling`, `signing`: with the attestation key
 * - `sending`, `completing`: a request whose response counts
 */
export type Stage =
  | ProverStage
  | 'unlocking'
  | 'creating'
  | 'waiting'
  | 'joining'
  | 'meeting'
  | 'enrolling'
  | 'signing'
  | 'sending'
  | 'completing';

/** How an act is followed and ended. */
export interface Watch {
  /** Ends the act before its next request. A request that can't be repeated is not interrupted. */
  readonly signal?: AbortSignal | undefined;
  onStage?(stage: Stage): void;
}

/** @internal Changes the vault. @throws SvcError `not_stored` */
export async function store<S extends Secret>(
  { vault }: Pick<PhonePorts<S>, 'vault'>,
  work: (stored: Stored<S>) => readonly Change<S>[],
): Promise<void> {
  try {
    await vault.change(work);
  } catch (cause) {
    throw new SvcError(
      'not_stored',
      'The phone’s storage refused to store this, so the phone stopped. Free some space, or allow this page or app to store data, and try again.',
      { cause },
    );
  }
}

/** @internal Resolves when there is a network. */
export async function whenOnline<S extends Secret>(
  phone: Pick<PhonePorts<S>, 'whenOnline'>,
  { signal, onStage }: Watch,
): Promise<void> {
  signal?.throwIfAborted();
  await phone.whenOnline?.(signal, () => onStage?.('waiting'));
}

/** @internal The stored identity. @throws SvcError `not_registered` */
export async function identityOf<S extends Secret>(
  { vault }: Pick<PhonePorts<S>, 'vault'>,
  id: string,
): Promise<Identity<S>> {
  const found = (await vault.read()).identities.find((identity) => identity.id === id);
  if (found === undefined)
    throw new SvcError('not_registered', 'This phone does not have this identity any more.');
  return found;
}

/** @internal Changes a stored identity, if it is still there. */
export const changeIdentity = <S extends Secret>(
  phone: Pick<PhonePorts<S>, 'vault'>,
  id: string,
  next: (identity: Identity<S>) => Identity<S>,
): Promise<void> =>
  store(phone, ({ identities }) =>
    identities
      .filter((identity) => identity.id === id)
      .map((identity) => ({ put: 'identities' as const, record: next(identity) })),
  );
