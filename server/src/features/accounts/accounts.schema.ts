import Type, { type TSchema } from 'typebox';
import { ids, secrets } from '../../model/example-fixtures.js';
import { MAX_PASSWORD_LENGTH } from '../../model/password.js';
import { PLANS } from '../../model/plans.js';
import { type SecurityPolicy, SecurityPolicySchema } from '../../model/security-policy.js';
import {
  count,
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import type { PolicyChanges } from './security-policy.js';

export const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['dev@example.com'] });
/** The password rule checks length and strength, because it returns the reason. */
export const Password = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD_LENGTH,
  examples: [secrets.password],
});
const Plan = withExample('growth', Type.Enum([...PLANS]));

export const SecurityPolicyBody = strictObject(
  {
    security_policy: Type.Unsafe<SecurityPolicy>({ ...SecurityPolicySchema, title: 'SecurityPolicyParams' }),
  },
  'SecurityPolicyReplaceParams',
);

export const CloseBody = strictObject(
  {
    password: Type.Optional({
      ...Password,
      description: 'Not required within five minutes after a log-in or a confirmation.',
    }),
  },
  'CloseAccountParams',
);
export const CloseReply = strictObject({ status: Type.Enum(['closing']), closesAt: Timestamp });
export const ReopenReply = strictObject({ status: Type.Enum(['active']) });

export const TenantBrief = strictObject(
  { id: uuid(ids.tenant), email: exampleText('dev@example.com'), plan: Plan },
  'TenantBrief',
);
export const Tenant = strictObject(
  {
    id: uuid(ids.tenant),
    email: exampleText('dev@example.com'),
    companyName: exampleText('Example AG'),
    plan: Plan,
    status: Type.Enum(['active', 'suspended', 'deactivated', 'closing', 'closed']),
    createdAt: Timestamp,
    closesAt: Nullable({
      ...Timestamp,
      description: 'While the status is `closing`: when everything of the account is deleted.',
    }),
  },
  'Tenant',
);
export const Limits = strictObject(
  {
    monthlyRequests: Nullable(count(250_000)),
    requestsPer15Min: count(2000),
    activeApiKeys: count(10),
    onChainVerification: flag(true),
  },
  'Limits',
);

const { properties } = SecurityPolicySchema;
export const SecurityPolicyUpdateBody = strictObject(
  {
    security_policy: Type.Unsafe<PolicyChanges>(
      Type.Object(
        Object.fromEntries(
          Object.entries(properties).map(([name, field]) => [
            name,
            Type.Optional(Nullable(field as TSchema)),
          ]),
        ),
        { additionalProperties: false, minProperties: 1, title: 'SecurityPolicyChanges' },
      ),
    ),
  },
  'SecurityPolicyUpdateParams',
);
export const AccountReply = strictObject({ tenant: Tenant, limits: Limits });
export const SecurityPolicyReply = strictObject({ security_policy: SecurityPolicySchema });
