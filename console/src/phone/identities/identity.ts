import type { EnrolledAt } from '@svc/sdk';
import type { SealedIdentity } from '../prover/work';
import { answer, change, readAll } from '../vault/database';
import type { Protection } from '../vault/protection';

/**
 * One for each service, account and environment: whoever saw the same one twice would know its owner again. Two only while
 * nobody knows whether the newer one is registered.
 */
export interface Identity extends SealedIdentity, EnrolledAt {
  /** Its DID. */
  readonly id: string;
  /** As the service called the account at the registration; identities of an older version of this page have none. */
  readonly companyName?: string | undefined;
  /** Random, made for this identity, and nothing about the hardware. */
  readonly fingerprint: string;
  readonly protection: Protection;
  readonly createdAt: string;
  /** False where the last answer of its registration was lost: it may be registered, or not. */
  readonly confirmed: boolean;
}

export const IDENTITIES = ['identities'] as const;

/** An account in one environment, as links are named by it. */
export const idOf = ({ tenantId, environment }: Pick<EnrolledAt, 'tenantId' | 'environment'>): string =>
  `${tenantId}:${environment}`;

export const heldIdentities = (): Promise<Identity[]> => readAll('identities');

export const removeIdentity = (id: string): Promise<void> =>
  change(['identities'], (store) => store('identities').delete(id));

/** A service that it signed in at knows it. What was removed meanwhile stays removed. */
export const confirmIdentity = ({ id }: Identity): Promise<void> =>
  change(['identities'], async (store) => {
    const held = await answer<Identity | undefined>(store('identities').get(id));
    if (held) await replaceOlder(store('identities'), { ...held, confirmed: true });
  });

/** The service knows this one: it takes the place of the older ones of its account. */
export async function replaceOlder(identities: IDBObjectStore, identity: Identity): Promise<void> {
  const held = await answer<Identity[]>(identities.getAll());
  for (const { id } of held.filter((other) => isOlder(other, identity))) identities.delete(id);
  identities.put(identity);
}

const isOlder = (other: Identity, identity: Identity): boolean =>
  idOf(other) === idOf(identity) && (other.confirmed || other.createdAt < identity.createdAt);

/** Enough of a DID to tell it from others. */
export const shortDid = (did: string): string => `${did.slice(0, 16)}…${did.slice(-6)}`;
