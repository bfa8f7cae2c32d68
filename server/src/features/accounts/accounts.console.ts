import type { Tenant } from '../../http/principal.js';
import { console, route } from '../../http/route.js';
import { ACTIVE_KEYS_PER_TENANT, PLAN_LIMITS } from '../../model/plans.js';
import { iso, isoOrNull } from '../../records/schema.js';
import * as schema from './accounts.schema.js';

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

export const tenantsConsole = [
  route({
    operationId: 'consoleGetAccount',
    method: 'GET',
    path: '/api/console/account',
    summary: 'Get the account, its plan and its limits',
    auth: console({ role: 'member' }),
    whileClosing: true,
    replies: { 200: schema.AccountReply },
    handler: async ({ principal }) => accountOf(principal.tenant),
  }),
];
