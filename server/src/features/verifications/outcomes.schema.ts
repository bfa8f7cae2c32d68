import Type from 'typebox';
import {
  count,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  Timestamp,
  timestamp,
} from '../../records/schema.js';
import { Method } from './verifications.schema.js';

export const OutcomesQuery = strictObject({
  environment: Type.Optional(Environment),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
});

export const OutcomesReply = strictObject({
  hours: Type.Array(
    strictObject({
      at: timestamp('2026-05-12T09:00:00.000Z'),
      pass: count(61),
      fail: count(2),
      challenge: count(1),
    }),
    { description: 'Each hour of the range, oldest first, also those without verifications.' },
  ),
  reasons: Type.Array(
    strictObject({
      method: Method,
      reason: Nullable(exampleText('wrong_number', 'A code of the service, or the text of your own record.')),
      count: count(2),
    }),
    { description: 'Why verifications failed, the most frequent reasons first. At most 50.' },
  ),
});
