import type { Tenant } from '../../http/principal.js';
import { console, open, route } from '../../http/route.js';
import { ACTIVE_KEYS_PER_TENANT, PLAN_LIMITS } from '../../model/plans.js';
import { iso, isoOrNull } from '../../records/schema.js';
import { signUp } from './accounts.js';
import * as schema from './accounts.schema.js';
import { CONSOLE_TOKEN_SECONDS } from './logins/logins.auth.js';
import { setOwnSession } from './logins/session-cookie.js';

/** The account as its members see it. */
export function accountOf({ id, email, companyName, plan, status, createdAt, closesAt }: Tenant) {
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

/** The account as a log-in returns it. */
export const brief = ({ id, email, plan }: { id: string; email: string; plan: string }) => ({
  id,
  email,
  plan,
});

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
      setOwnSession(context, token, CONSOLE_TOKEN_SECONDS);
      const { id, name, prefix, key, warning } = apiKey;
      return { token, tenant: brief(tenant), apiKey: { id, name, prefix, key, warning } };
    },
  }),
  route({
    operationId: 'consoleGetAccount',
    method: 'GET',
    path: '/api/console/account',
    summary: 'Get the account, its plan and its limits',
    auth: console({ role: 'auditor' }),
    whileClosing: true,
    replies: { 200: schema.AccountReply },
    handler: async ({ principal }) => accountOf(principal.tenant),
  }),
];
