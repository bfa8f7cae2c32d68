import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  Nullable,
  pageOf,
  paging,
  Text,
  Timestamp,
  Uuid,
} from '../../kernel/schema.js';

export const METHODS = ['zkp', 'fingerprint', 'face', 'depth', 'saml', 'oidc', 'manual'] as const;
export const RESULTS = ['pass', 'fail', 'challenge'] as const;

const Method = Type.Enum([...METHODS]);
const Result = Type.Enum([...RESULTS]);
const Confidence = Type.Number({ minimum: 0, maximum: 100 });

export const Verification = closed(
  {
    id: Uuid,
    environment: Environment,
    method: Method,
    result: Result,
    userId: Nullable(Uuid),
    deviceId: Nullable(Uuid),
    reason: Nullable(Type.String()),
    confidenceScore: Nullable(Confidence),
    referenceId: Nullable(Type.String()),
    metadata: Nullable(FreeForm),
    occurredAt: Timestamp,
    createdAt: Timestamp,
  },
  'Verification',
);

export const CreateVerificationBody = closed({
  method: Method,
  result: Result,
  userId: Type.Optional(Uuid),
  deviceId: Type.Optional(Uuid),
  reason: Type.Optional(Text(500)),
  confidenceScore: Type.Optional(Confidence),
  referenceId: Type.Optional(Text(200)),
  metadata: Type.Optional(FreeForm),
  occurredAt: Type.Optional(Timestamp),
});

export const ListVerificationsQuery = closed({
  method: Type.Optional(Method),
  result: Type.Optional(Result),
  ...paging,
});
export const VerificationReply = closed({ verification: Verification });
export const VerificationListReply = pageOf('verifications', Verification);
