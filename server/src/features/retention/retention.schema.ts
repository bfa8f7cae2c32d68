import Type from 'typebox';
import { MAX_RETENTION_DAYS, MIN_RETENTION_DAYS } from '../../model/security-policy.js';
import { count, flag, strictObject } from '../../records/schema.js';

export const RetentionQuery = strictObject({
  days: Type.Integer({ minimum: MIN_RETENTION_DAYS, maximum: MAX_RETENTION_DAYS, examples: [365] }),
});

export const RetentionReply = strictObject({
  verifications: count(1234),
  attendance: count(567),
  registrations: count(8),
  isExact: flag(true, 'False if there are more of a kind than were counted: at least 100,000.'),
});
