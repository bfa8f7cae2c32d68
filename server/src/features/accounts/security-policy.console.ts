import { console, route } from '../../http/route.js';
import type { TenantWrite } from '../../ledger/write.js';
import { endWeakerPairings } from '../pairing/pairing.js';
import { replaceSecurityPolicy } from './accounts.js';
import * as schema from './accounts.schema.js';

export const securityPolicyConsole = [
  route({
    operationId: 'consoleGetSecurityPolicy',
    method: 'GET',
    path: '/api/console/security-policy',
    summary: 'Get the security policy',
    auth: console({ role: 'auditor' }),
    replies: { 200: schema.SecurityPolicyReply },
    handler: async ({ principal }) => ({ security_policy: principal.tenant.securityPolicy }),
  }),
  route({
    operationId: 'consoleReplaceSecurityPolicy',
    method: 'PUT',
    path: '/api/console/security-policy',
    summary: 'Replace the whole security policy',
    auth: console({ role: 'owner', stepUp: true }),
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
