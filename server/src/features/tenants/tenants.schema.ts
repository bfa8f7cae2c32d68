import Type from 'typebox';
import { closed, Nullable, Text, Timestamp, Uuid } from '../../kernel/schema.js';
import { MAX_PASSWORD_LENGTH } from '../../model/password.js';
import { PLANS } from '../../model/plans.js';
import { SecurityPolicySchema } from '../../model/security-policy.js';

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['dev@example.com'] });
/** Length and strength are judged by the password rule, which says why. */
const Password = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH });

export const SignupBody = closed({ email: Email, password: Password, companyName: Text(200) });
export const LoginBody = closed({ email: Email, password: Password });
export const PasswordBody = closed({ currentPassword: Password, newPassword: Password });
export const SecurityPolicyBody = closed({ security_policy: SecurityPolicySchema });

const TenantBrief = closed({ id: Uuid, email: Type.String(), plan: Type.Enum([...PLANS]) }, 'TenantBrief');
const Tenant = closed(
  {
    id: Uuid,
    email: Type.String(),
    companyName: Type.String(),
    plan: Type.Enum([...PLANS]),
    status: Type.Enum(['active', 'suspended', 'deactivated']),
    createdAt: Timestamp,
  },
  'Tenant',
);
const Limits = closed(
  {
    monthlyRequests: Nullable(Type.Integer()),
    requestsPer15Min: Type.Integer(),
    activeApiKeys: Type.Integer(),
    onChainVerification: Type.Boolean(),
  },
  'Limits',
);

const FirstKey = Type.Object(
  { id: Uuid, name: Type.String(), prefix: Type.String(), key: Type.String(), warning: Type.String() },
  { additionalProperties: false, title: 'FirstApiKey' },
);
export const SignupReply = closed({ token: Type.String(), tenant: TenantBrief, apiKey: FirstKey });
export const LoginReply = closed({ token: Type.String(), tenant: TenantBrief });
export const TokenReply = closed({ token: Type.String() });
export const LogoutReply = closed({ loggedOut: Type.Boolean() });
export const AccountReply = closed({ tenant: Tenant, limits: Limits });
export const SecurityPolicyReply = closed({ security_policy: SecurityPolicySchema });
