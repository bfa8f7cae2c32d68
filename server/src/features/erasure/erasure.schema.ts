import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { strictObject, Timestamp, uuid } from '../../records/schema.js';
import { User } from '../users/users.js';

export const EraseBody = strictObject(
  {
    reason: Type.Optional(
      Type.Enum(['request', 'retention', 'error'], {
        description: 'For the audit log. Default: request.',
        examples: ['request'],
      }),
    ),
    events: Type.Optional(
      Type.Enum(['keep', 'strip'], {
        description:
          'Default: strip, which removes references, reasons in free text and metadata from the person’s verifications and attendance events.',
        examples: ['strip'],
      }),
    ),
    hours: Type.Optional(
      Type.Enum(['later'], {
        description:
          'For a person with working time that the retention of their site still keeps: everything else is erased now, and the hours when that time is over. Without it, such a request is 409 `hours_kept`.',
        examples: ['later'],
      }),
    ),
  },
  'UserEraseParams',
);

export const EraseReply = strictObject({
  user: User,
  erasure: strictObject({ id: uuid(ids.identity), erasedAt: Timestamp }, 'Erasure'),
});
