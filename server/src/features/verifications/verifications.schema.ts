import Type from 'typebox';
import { exportOf } from '../../http/export.js';
import { ids } from '../../model/example-fixtures.js';
import { type Columns, createFields, createOnly, replyFields } from '../../records/columns.js';
import { includesBoth, includesNames, optionalNames, search, searchPageOf } from '../../records/list.js';
import { sorting } from '../../records/order.js';
import {
  Environment,
  FreeForm,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { eventFilters, eventNames } from './events.js';

export const METHODS = ['zkp', 'fingerprint', 'face', 'depth', 'saml', 'oidc', 'manual'] as const;
export const RESULTS = ['pass', 'fail', 'challenge'] as const;

export const Method = withExample('fingerprint', Type.Enum([...METHODS]));
const Result = Type.Enum([...RESULTS]);
const Confidence = Type.Number({ minimum: 0, maximum: 100, examples: [98.7] });

export const verificationColumns = {
  id: { column: 'id', schema: uuid(ids.verification), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  method: { column: 'method', schema: Method, create: 'required' },
  result: { column: 'result', schema: Result, create: 'required' },
  userId: { column: 'user_id', schema: uuid(ids.user), type: 'uuid', ...createOnly },
  deviceId: { column: 'device_id', schema: uuid(ids.device), type: 'uuid', ...createOnly },
  /** What the service itself recorded as failed has a code (FAILURE_REASONS). */
  reason: { column: 'reason', schema: withExample('second finger', Text(500)), ...createOnly },
  confidenceScore: { column: 'confidence_score', schema: Confidence, ...createOnly },
  referenceId: { column: 'reference_id', schema: withExample('shift-4711', Text(200)), ...createOnly },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...createOnly },
  occurredAt: { column: 'occurred_at', schema: Timestamp, type: 'timestamptz', create: 'optional' },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
} as const satisfies Columns;

export const Verification = strictObject(replyFields(verificationColumns), 'Verification');

export const CreateVerificationBody = strictObject(
  createFields(verificationColumns),
  'VerificationCreateParams',
);

export const ListVerificationsQuery = strictObject({
  method: Type.Optional(Method),
  result: Type.Optional(Result),
  /** Of those that failed. */
  reason: Type.Optional(withExample('wrong_number', Text(500))),
  ...eventFilters,
  ...search,
  ...sorting,
  ...includesBoth,
  ...paging,
});
export const NamedVerification = strictObject(
  { ...Verification.properties, ...optionalNames(eventNames) },
  'NamedVerification',
);
export const GetVerificationQuery = strictObject(includesNames);
export const VerificationReply = strictObject({ verification: Verification });
export const NamedVerificationReply = strictObject({ verification: NamedVerification });
export const VerificationListReply = searchPageOf('verifications', NamedVerification, 'VerificationPage');
export const verificationExport = exportOf(ListVerificationsQuery, {
  ...Verification.properties,
  ...eventNames,
});
