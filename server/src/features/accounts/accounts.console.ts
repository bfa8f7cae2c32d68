import { requireActive } from '../../http/limits.js';
import type { Tenant } from '../../http/principal.js';
import { console, open, route } from '../../http/route.js';
import type { TenantWrite } from '../../ledger/write.js';
import { ACTIVE_KEYS_PER_TENANT, PLAN_LIMITS } from '../../model/plans.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { endWeakerPairings } from '../pairing/pairing.js';
import { CONSOLE_TOKEN_SECONDS, findSession } from './accounts.auth.js';
import { changePassword, logIn, logOut, replaceSecurityPolicy, signUp } from './accounts.js';
import * as schema from './accounts.schema.js';
import { closeSession, endSession, renewSession, sessionCookie, setSession } from './session-cookie.js';

function accountOf({ id, email, companyName, plan, status, createdAt, closesAt }: Tenant) {
  const { monthlyRequests, requestsPer15Min, onChainVerification } = PLAN_LIMITS[plan];
  return {
    tenant: {
      ...{ id, email, companyName, plan, status },
      ...{ createdAt: iso(createdAt), closesAt: isoOrNull(closesAt) },
    },
    limits: {
      monthlyRequests,
      requestsPer15Min,
      activeApiKeys: ACTIVE_KEYS_PER_TENANT,
      onChainVerification,
    },
  };
}

const brief = ({ id, email, plan }: { id: string; email: string; plan: string }) => ({ id, email, plan });

export const tenantsConsole = [
  route({
    operationId: 'consoleSignUp',
    method: 'POST',
    path: '/api/console/signup',
    summary: 'Create an account and its first live key',
    auth: open,
    limit: { name: 'signup', max: 10, windowSeconds: 900 },
    schemas: { body: schema.SignupBody },
    replies: { 201: schema.SignupReply },
    errors: ['weak_password', 'email_already_registered'],
    secret: true,
    async handler(context) {
      const { token, tenant, apiKey } = await signUp(context, context.body);
      const { id, name, prefix, key, warning } = apiKey;
      return { token, tenant: brief(tenant), apiKey: { id, name, prefix, key, warning } };
    },
  }),
  route({
    operationId: 'consoleLogIn',
    method: 'POST',
    path: '/api/console/login',
    summary: 'Log in to the console with a token that lasts 24 hours',
    auth: open,
    limit: { name: 'login', max: 20, windowSeconds: 900 },
    schemas: { body: schema.LoginBody },
    replies: { 200: schema.LoginReply },
    errors: ['invalid_credentials', 'tenant_inactive'],
    secret: true,
    async handler(context) {
      const { token, tenant } = await logIn(context, context.body);
      return { token, tenant: brief(tenant) };
    },
  }),
  route({
    operationId: 'consoleOpenSession',
    method: 'POST',
    path: '/api/console/session',
    summary: 'Log this browser in to the console',
    description:
      'Like `POST /api/console/login`, for the pages of the service: the token is stored in a cookie that scripts can’t read ' +
      'and that is accepted only in requests from pages of this origin.',
    auth: open,
    limit: { name: 'login', max: 20, windowSeconds: 900 },
    schemas: { body: schema.LoginBody },
    replies: { 201: schema.OpenSessionReply },
    replyHeaders: sessionCookie,
    errors: ['invalid_credentials', 'tenant_inactive'],
    noStore: true,
    async handler(context) {
      const { token, tenant } = await logIn(context, context.body);
      setSession(context, token, CONSOLE_TOKEN_SECONDS);
      return { tenant: brief(tenant) };
    },
  }),
  route({
    operationId: 'consoleGetSession',
    method: 'GET',
    path: '/api/console/session',
    summary: 'Get the account that this browser is logged in to',
    description:
      'Like `GET /api/console/account`, for the pages of the service: only the session cookie is accepted. Without a session, or ' +
      'after it has ended, `tenant` and `limits` are null.',
    auth: open,
    limit: { name: 'session', max: 300, windowSeconds: 60 },
    replies: { 200: schema.SessionReply },
    errors: ['tenant_inactive'],
    noStore: true,
    async handler(context) {
      const session = await findSession(context.deps, context);
      if (session === undefined) return { tenant: null, limits: null };
      requireActive(session.tenant, true);
      return accountOf(session.tenant);
    },
  }),
  route({
    operationId: 'consoleCloseSession',
    method: 'DELETE',
    path: '/api/console/session',
    summary: 'Log this browser out of the console',
    description:
      'Deletes the session cookie, if a page of this origin sent the request. Other browsers stay logged in. The token that the ' +
      'cookie contained is not revoked: a copy of it works until it expires, at most 24 hours after the login, or until ' +
      '`POST /api/console/logout` ends all tokens of the account. Without a session, the response is the same.',
    auth: open,
    limit: { name: 'session', max: 300, windowSeconds: 60 },
    replies: { 200: schema.LogoutReply },
    noStore: true,
    async handler(context) {
      closeSession(context);
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'consoleLogOut',
    method: 'POST',
    path: '/api/console/logout',
    summary: 'End all console tokens of the account',
    auth: console,
    whileClosing: true,
    replies: { 200: schema.LogoutReply },
    async handler(context) {
      const { write, deps, scope } = context;
      await write('tenant.logged_out', logOut, 'tenant');
      deps.bus.publish('tenant', scope.tenantId);
      endSession(context);
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'consoleChangePassword',
    method: 'POST',
    path: '/api/console/password',
    summary: 'Change the password, end older tokens and return a new one',
    description: 'A page that is logged in by cookie gets a new cookie.',
    auth: console,
    schemas: { body: schema.PasswordBody },
    replies: { 200: schema.TokenReply },
    replyHeaders: sessionCookie,
    errors: ['invalid_credentials', 'weak_password', 'rate_limit_exceeded'],
    secret: true,
    async handler(context) {
      const write = <T>(work: (w: TenantWrite) => Promise<T>) =>
        context.write('tenant.password_changed', work, 'tenant');
      const token = await changePassword(context, write, context.body);
      renewSession(context, token, CONSOLE_TOKEN_SECONDS);
      return { token };
    },
  }),
  route({
    operationId: 'consoleGetAccount',
    method: 'GET',
    path: '/api/console/account',
    summary: 'Get the account, its plan and its limits',
    auth: console,
    whileClosing: true,
    replies: { 200: schema.AccountReply },
    handler: async ({ principal }) => accountOf(principal.tenant),
  }),
  route({
    operationId: 'consoleGetSecurityPolicy',
    method: 'GET',
    path: '/api/console/security-policy',
    summary: 'Get the security policy',
    auth: console,
    replies: { 200: schema.SecurityPolicyReply },
    handler: async ({ principal }) => ({ security_policy: principal.tenant.securityPolicy }),
  }),
  route({
    operationId: 'consoleReplaceSecurityPolicy',
    method: 'PUT',
    path: '/api/console/security-policy',
    summary: 'Replace the whole security policy',
    auth: console,
    schemas: { body: schema.SecurityPolicyBody },
    replies: { 200: schema.SecurityPolicyReply },
    errors: ['plan_upgrade_required'],
    async handler({ deps, write, principal, body }) {
      const { security_policy } = body;
      const tellDesktops = await write(
        'tenant.security_policy_replaced',
        async (w: TenantWrite) => {
          await replaceSecurityPolicy(w, principal.tenant.plan, security_policy);
          return endWeakerPairings(w, deps, security_policy);
        },
        'tenant',
      );
      tellDesktops();
      return { security_policy };
    },
  }),
];
