import type { Static } from 'typebox';
import type { Deps } from '../../kernel/deps.js';
import { fail, invalid } from '../../kernel/errors.js';
import { iso } from '../../kernel/schema.js';
import type { Read, Write } from '../../kernel/write.js';
import type { CreateVerificationBody } from './verifications.schema.js';
import * as store from './verifications.store.js';

const FUTURE_MS = 5 * 60_000;

export const showVerification = (row: store.VerificationRow) => ({
  id: row.id,
  environment: row.environment,
  method: row.method,
  result: row.result,
  userId: row.user_id,
  deviceId: row.device_id,
  reason: row.reason,
  confidenceScore: row.confidence_score,
  referenceId: row.reference_id,
  metadata: row.metadata,
  occurredAt: iso(row.occurred_at),
  createdAt: iso(row.created_at),
});

/** Records an event that happened elsewhere. What it names must be of this tenant and environment; status is no matter. */
export async function createVerification(
  w: Write,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  input: Static<typeof CreateVerificationBody>,
): Promise<store.VerificationRow> {
  const now = clock.now();
  const occurredAt = input.occurredAt === undefined ? new Date(now) : new Date(input.occurredAt);
  if (occurredAt.getTime() > now + FUTURE_MS)
    invalid('body.occurredAt', 'must be at most 5 minutes in the future');
  const id = ids();
  w.audit({
    entityType: 'verification',
    entityId: id,
    metadata: { method: input.method, result: input.result },
  });
  const { row, userKnown, deviceKnown } = await store.insertVerification(
    w,
    { ...input, id, occurredAt },
    new Date(now),
  );
  if (!userKnown) fail('user_not_found');
  if (!deviceKnown) fail('device_not_found');
  return row;
}

export async function findVerification(read: Read, id: string): Promise<store.VerificationRow> {
  return (await store.findVerification(read, id)) ?? fail('not_found');
}

export const listVerifications = store.listVerifications;
