import Type from 'typebox';
import {
  commitment,
  did,
  didHash,
  earlierHash,
  hash,
  ids,
  secrets,
  times,
} from '../../../model/example-fixtures.js';
import { count, exampleText, Nullable, strictObject, timestamp, uuid } from '../../../records/schema.js';

const hex = (example: string, description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description, examples: [example] });

export const DID_FORM = { pattern: /^did:svc:[0-9a-fA-F]{1,128}$/, example: did };

export const LeafReply = strictObject({
  leaf: strictObject(
    {
      hash: hex(hash, 'the leaf, as `identity_leaf` in the metadata of the audit event'),
      seq: Type.Integer({
        minimum: 1,
        description: 'the position of that event in the audit chain',
        examples: [42],
      }),
      action: exampleText('identity.register'),
      identityId: uuid(ids.identity),
      userId: uuid(ids.user),
      tag: hex(earlierHash, 'hex SHA-256 of `svc-anchor-v1|tenantId|environment`'),
      didHash: hex(didHash, '`00` and the first 31 bytes of the DID’s SHA-256'),
      commitment: hex(commitment, 'the newest one of the identity'),
      salt: hex(secrets.enrolmentSalt, '32 random bytes'),
      version: Type.Integer({ minimum: 1, description: '1, and 1 more for each rotation', examples: [1] }),
      createdAt: timestamp(times.done),
    },
    'IdentityLeaf',
  ),
});

/** What the phone keeps to prove later what the audit chain says of it. `seq` is null while no event names the leaf. */
export const Enrolment = strictObject(
  {
    identityId: uuid(ids.identity),
    userId: uuid(ids.user),
    salt: exampleText(secrets.enrolmentSalt, '32 random bytes in hex'),
    leaf: exampleText(hash, 'The `identity_leaf` of the audit event.'),
    seq: Nullable(count(42)),
  },
  'Enrolment',
);
