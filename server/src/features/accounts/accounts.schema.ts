import Type from 'typebox';
import { closed, count, flag, like, Nullable, shown, Text, Timestamp, uuid } from '../../http/schema.js';
import { MAX_PASSWORD_LENGTH } from '../../model/password.js';
import { PLANS } from '../../model/plans.js';
import { type SecurityPolicy, SecurityPolicySchema } from '../../model/security-policy.js';
import { ids, secrets } from '../../model/story.js';

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['dev@example.com'] });
/** Length and strength are judged by the password rule, which says why. */
const Password = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD_LENGTH,
  examples: [secrets.password],
});
const Plan = like('growth', Type.Enum([...PLANS]));

export const SignupBody = closed(
  {
    email: Email,
    password: Password,
    companyName: like('Example AG', Text(200)),
  },
  'SignUpParams',
);
export const LoginBody = closed({ email: Email, password: Password }, 'LogInParams');
export const PasswordBody = closed(
  {
    currentPassword: Password,
    newPassword: like(secrets.newPassword, Password),
  },
  'PasswordChangeParams',
);
export const SecurityPolicyBody = closed(
  {
    security_policy: Type.Unsafe<SecurityPolicy>({ ...SecurityPolicySchema, title: 'SecurityPolicyParams' }),
  },
  'SecurityPolicyReplaceParams',
);

const TenantBrief = closed(
  { id: uuid(ids.tenant), email: shown('dev@example.com'), plan: Plan },
  'TenantBrief',
);
const Tenant = closed(
  {
    id: uuid(ids.tenant),
    email: shown('dev@example.com'),
    companyName: shown('Example AG'),
    plan: Plan,
    status: Type.Enum(['active', 'suspended', 'deactivated']),
    createdAt: Timestamp,
  },
  'Tenant',
);
const Limits = closed(
  {
    monthlyRequests: Nullable(count(250_000)),
    requestsPer15Min: count(2000),
    activeApiKeys: count(10),
    onChainVerification: flag(true),
  },
  'Limits',
);

const FirstKey = Type.Object(
  {
    id: uuid(ids.apiKey),
    name: shown('First live key'),
    prefix: shown(secrets.apiKeyPrefix),
    key: shown(secrets.apiKey),
    warning: shown('Store this key now: it is shown this once and cannot be recovered.'),
  },
  { additionalProperties: false, title: 'FirstApiKey' },
);
export const SignupReply = closed({
  token: shown(secrets.consoleToken),
  tenant: TenantBrief,
  apiKey: FirstKey,
});
export const LoginReply = closed({ token: shown(secrets.consoleToken), tenant: TenantBrief });
export const OpenSessionReply = closed({ tenant: TenantBrief });
export const TokenReply = closed({ token: shown(secrets.consoleToken) });
export const LogoutReply = closed({ loggedOut: flag(true) });
export const AccountReply = closed({ tenant: Tenant, limits: Limits });
export const SessionReply = closed({ tenant: Nullable(Tenant), limits: Nullable(Limits) });
export const SecurityPolicyReply = closed({ security_policy: SecurityPolicySchema });
