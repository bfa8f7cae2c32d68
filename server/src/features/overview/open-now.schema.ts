import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { Environment, exampleText, Nullable, strictObject, Timestamp, uuid } from '../../records/schema.js';
import { Verification } from '../verifications/verifications.js';
import { LockedOut } from './overview.schema.js';

export const OpenNowQuery = strictObject({ environment: Type.Optional(Environment) });

export const OpenNowReply = strictObject({
  environment: Environment,
  refused: Type.Array(
    strictObject({
      userId: uuid(ids.user),
      userName: exampleText('Ada Lovelace'),
      method: Verification.properties.method,
      reason: Nullable(exampleText('wrong_number', 'As in `GET /v1/verifications`.')),
      at: Timestamp,
    }),
    { description: 'People whose newest verification of the last hour failed, newest first. At most 20.' },
  ),
  lockedOut: LockedOut,
});
