import type { EnrolledAt } from '@svc/sdk';
import type { SealedIdentity } from '../prover/work';
import { change, readAll } from '../vault/database';
import type { Protection } from '../vault/protection';

/** One for each service, account and environment: whoever saw the same one twice would know its owner again. */
export interface Identity extends SealedIdentity, EnrolledAt {
  /** `idOf` its account and environment; the service is the page's own. */
  readonly id: string;
  /** Random, made for this identity, and nothing about the hardware. */
  readonly fingerprint: string;
  readonly protection: Protection;
  readonly createdAt: string;
  /** False where the last answer of its registration was lost: it may be registered, or not. */
  readonly confirmed: boolean;
}

export const IDENTITIES = ['identities'] as const;

export const idOf = ({ tenantId, environment }: Pick<EnrolledAt, 'tenantId' | 'environment'>): string =>
  `${tenantId}:${environment}`;

export const heldIdentities = (): Promise<Identity[]> => readAll('identities');

export const removeIdentity = (id: string): Promise<void> =>
  change(['identities'], (store) => store('identities').delete(id));

/** A service that it signed in at knows it. */
export const confirmIdentity = (identity: Identity): Promise<void> =>
  change(['identities'], (store) => store('identities').put({ ...identity, confirmed: true }));

/** Enough of a DID to tell it from others. */
export const shortDid = (did: string): string => `${did.slice(0, 16)}…${did.slice(-6)}`;
