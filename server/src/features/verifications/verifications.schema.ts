import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  like,
  Nullable,
  pageOf,
  paging,
  shown,
  Text,
  Timestamp,
  uuid,
} from '../../kernel/schema.js';
import { ids } from '../../model/story.js';
import { eventFilters } from './events.js';

export const METHODS = ['zkp', 'fingerprint', 'face', 'depth', 'saml', 'oidc', 'manual'] as const;
export const RESULTS = ['pass', 'fail', 'challenge'] as const;

const UserId = uuid(ids.user);
const DeviceId = uuid(ids.device);
const Method = like('fingerprint', Type.Enum([...METHODS]));
const Result = Type.Enum([...RESULTS]);
const Confidence = Type.Number({ minimum: 0, maximum: 100, examples: [98.7] });

export const Verification = closed(
  {
    id: uuid(ids.verification),
    environment: Environment,
    method: Method,
    result: Result,
    userId: Nullable(UserId),
    deviceId: Nullable(DeviceId),
    reason: Nullable(shown('second finger')),
    confidenceScore: Nullable(Confidence),
    referenceId: Nullable(shown('shift-4711')),
    metadata: Nullable(FreeForm),
    occurredAt: Timestamp,
    createdAt: Timestamp,
  },
  'Verification',
);

export const CreateVerificationBody = closed(
  {
    method: Method,
    result: Result,
    userId: Type.Optional(UserId),
    deviceId: Type.Optional(DeviceId),
    reason: Type.Optional(like('second finger', Text(500))),
    confidenceScore: Type.Optional(Confidence),
    referenceId: Type.Optional(like('shift-4711', Text(200))),
    metadata: Type.Optional(FreeForm),
    occurredAt: Type.Optional(Timestamp),
  },
  'VerificationCreateParams',
);

export const ListVerificationsQuery = closed({
  method: Type.Optional(Method),
  result: Type.Optional(Result),
  ...eventFilters,
  ...paging,
});
export const VerificationReply = closed({ verification: Verification });
export const VerificationListReply = pageOf('verifications', Verification);
