import { fail, invalid } from '../../base/errors.js';
import { admin, route } from '../../http/route.js';
import { IntegrityQuery, IntegrityReply } from './audit.schema.js';
import { checkIntegrity } from './integrity.js';

export const auditAdmin = [
  route({
    operationId: 'adminCheckAuditIntegrity',
    method: 'GET',
    path: '/api/admin/audit-integrity',
    summary: 'Recompute the audit chains',
    auth: admin,
    schemas: { query: IntegrityQuery },
    replies: { 200: IntegrityReply },
    compress: true,
    async handler({ deps, query }) {
      const { tenantId, tenant_id, environment, limit } = query;
      if (tenantId && tenant_id && tenantId !== tenant_id)
        invalid('query.tenant_id', 'names another tenant than tenantId');
      const verdict = await checkIntegrity(deps, { tenantId: tenantId ?? tenant_id, environment, limit });
      // An empty result would look like a passed check.
      if ((tenantId ?? tenant_id) && verdict.chains.length === 0)
        fail('not_found', { message: 'There is no such tenant.' });
      return verdict;
    },
  }),
];
