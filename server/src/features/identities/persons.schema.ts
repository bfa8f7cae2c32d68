import Type from 'typebox';
import { commitment, did, ids, times } from '../../model/example-fixtures.js';
import {
  count,
  exampleText,
  flag,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

export const UserIdentitiesQuery = strictObject(paging);
const Identity = strictObject(
  {
    id: uuid(ids.identity),
    did: exampleText(did),
    deviceId: Nullable(uuid(ids.phone)),
    deviceName: Nullable(exampleText('Ada’s phone')),
    attestationKind: withExample(null, Nullable(Type.String({ description: 'Null: not attested.' }))),
    createdAt: Timestamp,
    lastUsedAt: Nullable(timestamp(times.done)),
    inForceAt: withExample(
      null,
      Nullable(Type.String({ format: 'date-time', description: 'Null: since it was created.' })),
    ),
    revokedAt: withExample(null, Nullable(Type.String({ format: 'date-time' }))),
    rotations: count(0),
  },
  'UserIdentity',
);
export const UserIdentityList = pageOf('identities', Identity);

const method = `${did}#1`;
export const DocumentReply = strictObject(
  {
    didDocument: strictObject({
      id: exampleText(did),
      verificationMethod: Type.Optional(
        Type.Array(
          strictObject({
            id: exampleText(method),
            type: Type.Enum(['SvcCommitment']),
            controller: exampleText(did),
            commitment: exampleText(commitment),
          }),
        ),
      ),
      authentication: Type.Optional(Type.Array(exampleText(method))),
    }),
    didDocumentMetadata: strictObject({
      created: exampleText('2026-05-12T09:30:00Z', 'without milliseconds, as DID Resolution defines it'),
      updated: Type.Optional(exampleText('2026-05-12T09:31:20Z')),
      versionId: exampleText('1'),
      deactivated: flag(false),
    }),
    didResolutionMetadata: strictObject({ contentType: Type.Enum(['application/did+json']) }),
  },
  'DidResolution',
);
