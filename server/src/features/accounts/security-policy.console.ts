import { fail } from '../../base/errors.js';
import { console, route } from '../../http/route.js';
import { isMatch } from '../../http/transport/entity-tags.js';
import type { TenantWrite } from '../../ledger/write.js';
import * as schema from './accounts.schema.js';
import { changeSecurityPolicy, policyTag, replaceSecurityPolicy } from './security-policy.js';

const replyHeaders = {
  ETag: {
    description: 'The version of the policy, for `If-Match`.',
    example: '"9f86d081884c7d659a2feaa0c55ad015"',
  },
};

export const securityPolicyConsole = [
  route({
    operationId: 'consoleGetSecurityPolicy',
    method: 'GET',
    path: '/api/console/security-policy',
    summary: 'Get the security policy',
    auth: console({ role: 'auditor' }),
    replies: { 200: schema.SecurityPolicyReply },
    replyHeaders,
    async handler({ principal, setHeader }) {
      const { securityPolicy } = principal.tenant;
      setHeader('ETag', policyTag(securityPolicy));
      return { security_policy: securityPolicy };
    },
  }),
  route({
    operationId: 'consoleReplaceSecurityPolicy',
    method: 'PUT',
    path: '/api/console/security-policy',
    summary: 'Replace the whole security policy',
    auth: console({ role: 'owner' }),
    acts: ['change_policy'],
    schemas: { body: schema.SecurityPolicyBody },
    replies: { 200: schema.SecurityPolicyReply },
    replyHeaders,
    errors: ['plan_upgrade_required'],
    async handler({ deps, write, principal, body, setHeader }) {
      const { security_policy } = body;
      const tellDesktops = await write(
        'tenant.security_policy_replaced',
        async (w: TenantWrite) => {
          await replaceSecurityPolicy(w, principal.tenant.plan, security_policy);
          return deps.effects.policyReplaced(w, security_policy);
        },
        'tenant',
      );
      tellDesktops();
      setHeader('ETag', policyTag(security_policy));
      return { security_policy };
    },
  }),
  route({
    operationId: 'consoleUpdateSecurityPolicy',
    method: 'PATCH',
    path: '/api/console/security-policy',
    summary: 'Change fields of the security policy that you have read',
    description:
      'Fields that you omit stay, and null removes one, which gives it its default. `providers` and `origins` are replaced as a whole.',
    auth: console({ role: 'owner' }),
    acts: ['change_policy'],
    headers: {
      'If-Match':
        'The `ETag` of the policy that you have read, a list of such tags, or `*` for any version. Required.',
    },
    schemas: { body: schema.SecurityPolicyUpdateBody },
    replies: { 200: schema.SecurityPolicyReply },
    replyHeaders,
    errors: ['plan_upgrade_required', 'policy_changed'],
    async handler({ deps, write, principal, body, node, setHeader }) {
      const { plan, securityPolicy: seen } = principal.tenant;
      if (!isMatch(node.request.headers['if-match'], policyTag(seen))) fail('policy_changed');
      const [security_policy, tellDesktops] = await write(
        'tenant.security_policy_changed',
        async (w: TenantWrite) => {
          const policy = await changeSecurityPolicy(w, plan, seen, body.security_policy);
          return [policy, await deps.effects.policyReplaced(w, policy)] as const;
        },
        'tenant',
      );
      tellDesktops();
      setHeader('ETag', policyTag(security_policy));
      return { security_policy };
    },
  }),
];
