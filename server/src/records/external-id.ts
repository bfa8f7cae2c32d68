import { fail } from '../base/errors.js';
import { violates } from '../db/db.js';

interface GivenId {
  readonly externalId: string | null | undefined;
  /** Whether another record has it. */
  readonly isTaken: (externalId: string) => Promise<boolean>;
  /** What is violated if another record has it exactly as it was sent. */
  readonly constraint: string;
}

/**
 * Does the work of a write, and says whether another record has the external id that the write gives, in any form of Unicode [records/external-ids]. The
 * writes of a tenant and environment run one after another, so what is read first still holds. A node of the version before compares ids
 * only as they were sent.
 */
export async function withExternalId<T>(
  { externalId, isTaken, constraint }: GivenId,
  work: () => Promise<T>,
): Promise<readonly [isTaken: boolean, T]> {
  try {
    return await Promise.all([externalId ? isTaken(externalId) : false, work()]);
  } catch (error) {
    if (violates(error, constraint)) fail('external_id_conflict');
    throw error;
  }
}
