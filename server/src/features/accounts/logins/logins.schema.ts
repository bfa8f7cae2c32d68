import Type from 'typebox';
import { ids, secrets } from '../../../model/example-fixtures.js';
import {
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { Email, Limits, Password, Tenant, TenantBrief } from '../accounts.schema.js';
import { RoleSchema, rights } from '../members/members.schema.js';
import { AuthenticationCredential } from '../passkeys/passkeys.schema.js';

/** The member of a session. */
const LoggedIn = strictObject(
  {
    id: uuid(ids.member),
    email: exampleText('grace@example.com'),
    name: Nullable(exampleText('Grace Hopper')),
    role: RoleSchema,
    hasPassword: flag(true, 'False for a member who only has passkeys.'),
    ...rights,
  },
  'LoggedInMember',
);
const LoginSession = strictObject(
  {
    id: uuid(ids.loginSession),
    network: Nullable(exampleText('203.0.113.0/24', 'The /24 (IPv4) or /48 (IPv6) it came from.')),
    userAgent: Nullable(exampleText('Mozilla/5.0 (X11; Linux x86_64)')),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    current: flag(true, 'The log-in of this request.'),
  },
  'LoginSession',
);
export const LoginSessionList = strictObject({ loginSessions: Type.Array(LoginSession) });
/** Exactly one of both. */
export const StepUpBody = Type.Object(
  { password: Type.Optional(Password), credential: Type.Optional(AuthenticationCredential) },
  {
    ...{ additionalProperties: false, minProperties: 1, maxProperties: 1, title: 'StepUpParams' },
    examples: [{ password: secrets.password }],
  },
);
export const StepUpReply = strictObject({ until: Timestamp });
export const LoginBody = strictObject({ email: Email, password: Password }, 'LogInParams');

export const PasswordBody = strictObject(
  {
    // Absent for a member without a password.
    currentPassword: Type.Optional(Password),
    newPassword: withExample(secrets.newPassword, Password),
  },
  'PasswordChangeParams',
);

export const LoginReply = strictObject({ token: exampleText(secrets.consoleToken), tenant: TenantBrief });

export const OpenSessionReply = strictObject({ tenant: TenantBrief, member: LoggedIn });

export const TokenReply = strictObject({ token: exampleText(secrets.consoleToken) });

export const LogoutReply = strictObject({ loggedOut: flag(true) });

export const SessionReply = strictObject({
  tenant: Nullable(Tenant),
  limits: Nullable(Limits),
  member: Nullable(LoggedIn),
  confirmedUntil: Nullable({
    ...Timestamp,
    description: 'Until when changes that need a confirmed log-in are possible.',
  }),
});
