import type { EnrolledAt } from '@svc/sdk';
import type { Brand } from '../company/brand';
import type { SealedIdentity } from '../prover/work';
import { change, readAll, resultOf } from '../vault/database';
import type { Passkey } from '../vault/passkey';
import type { Protection } from '../vault/protection';

/**
 * A phone has one identity per service, account and environment, because a shared one would let accounts recognize its owner.
 * It has two only while it is unknown whether the newer one is registered, or while that one is not in force yet.
 */
export interface Identity extends SealedIdentity, EnrolledAt {
  /** Its DID. */
  readonly id: string;
  /** The account's name at registration or the newest sign-in. Identities from an older version of this page have none. */
  readonly companyName?: string | undefined;
  /** The person's name in the account at registration. Phones that another phone added have none. */
  readonly personName?: string | undefined;
  /** The account's color and logo at that time, if the service sent them. */
  readonly brand?: Brand | undefined;
  /** Random, created for this identity, and independent of the hardware. */
  readonly fingerprint: string;
  readonly protection: Protection;
  readonly createdAt: string;
  /** False until the service is known to accept the identity: the last response was lost, or it is not in force yet. */
  readonly confirmed: boolean;
  /** Whether another phone of the person added it, and not a desk. */
  readonly isAdded?: boolean;
  /** When it begins to work, ISO 8601, if that was later than its registration. Absent once the service accepted it. */
  readonly inForceAt?: string | undefined;
  /** A new secret that is not known to be in force. */
  readonly renewal?: Renewal | undefined;
  /** The service's name for the passkey, once it is enrolled. The phone then signs proofs with it. */
  readonly attestationKeyId?: string | undefined;
  /** A second copy of the secret under a new passkey, while that is being enrolled. */
  readonly successor?: Successor | undefined;
  /** What opens this identity's leaf in the audit chain. */
  readonly enrolment?: Enrolment | undefined;
}

/**
 * A new secret that was created but is not known to be in force: it is stored before it is sent, and the response may be lost.
 * Until it is known, the phone has both secrets and tries the new one first.
 */
export interface Renewal extends Pick<SealedIdentity, 'commitment' | 'secret'> {
  /** The new secret's own protection. Default: that of the identity. */
  readonly protection?: Protection;
  /** When it was last sent. ISO 8601. */
  readonly startedAt: string;
}

export interface Successor extends Pick<SealedIdentity, 'secret'> {
  readonly protection: Passkey;
}

/** The service's receipt for the identity's newest commitment. */
export interface Enrolment {
  readonly identityId: string;
  readonly userId: string;
  /** Hex, as is `leaf`. */
  readonly salt: string;
  readonly leaf: string;
  /** The entry in the audit chain. Null while a recovery waits. */
  readonly seq: number | null;
}

export const IDENTITIES = ['identities'] as const;

/** The ID of an account in one environment. */
export const idOf = ({ tenantId, environment }: Pick<EnrolledAt, 'tenantId' | 'environment'>): string =>
  `${tenantId}:${environment}`;

export const readIdentities = (): Promise<Identity[]> => readAll('identities');

/** Stores how the company looks now, for its cards. */
export const renewCompany = (
  account: Pick<EnrolledAt, 'tenantId' | 'environment'>,
  company: Pick<Identity, 'companyName' | 'brand'>,
): Promise<void> =>
  change(['identities'], async (store) => {
    const stored = await resultOf<Identity[]>(store('identities').getAll());
    for (const identity of stored.filter((other) => idOf(other) === idOf(account)))
      store('identities').put({ ...identity, ...company });
  });

/** Confirms an identity after a successful sign-in. If it was deleted in the meantime, it stays deleted. */
export const confirmIdentity = ({ id }: Identity): Promise<void> =>
  change(['identities'], async (store) => {
    const stored = await resultOf<Identity | undefined>(store('identities').get(id));
    if (stored) await replaceOlder(store('identities'), { ...stored, confirmed: true, inForceAt: undefined });
  });

/** Stores an identity that the service knows, and deletes the older ones of its account. */
export async function replaceOlder(identities: IDBObjectStore, identity: Identity): Promise<void> {
  const stored = await resultOf<Identity[]>(identities.getAll());
  for (const { id } of stored.filter((other) => isOlder(other, identity))) identities.delete(id);
  identities.put(identity);
}

const isOlder = (other: Identity, identity: Identity): boolean =>
  idOf(other) === idOf(identity) && (other.confirmed || other.createdAt < identity.createdAt);

export const shortDid = (did: string): string => `${did.slice(0, 16)}…${did.slice(-6)}`;
