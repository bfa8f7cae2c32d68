import { isSamePlace, type Place, type Identity as Stored } from '@svc/sdk/phone';
import { change, readAll, resultOf } from './database';
import type { SealedSecret } from './sealed';

export type Identity = Stored<SealedSecret>;

export const IDENTITIES = ['identities'] as const;

/** The ID of an account in one environment. */
export const idOf = ({ tenantId, environment }: Place): string => `${tenantId}:${environment}`;

export const readIdentities = (): Promise<Identity[]> => readAll('identities');

/** Stores how the company looks now, for its cards. */
export const renewCompany = (
  account: Place,
  company: Pick<Identity, 'companyName' | 'brand'>,
): Promise<void> =>
  change(['identities'], async (store) => {
    const stored = await resultOf<Identity[]>(store('identities').getAll());
    for (const identity of stored.filter((other) => isSamePlace(other, account)))
      store('identities').put({ ...identity, ...company });
  });

/** Whether a proof of it asks the person to unlock the phone. */
export const hasScreenLock = ({ protection }: Pick<Identity, 'protection'>): boolean =>
  protection.kind === 'screen-lock';
