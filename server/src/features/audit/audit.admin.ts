import { invalid } from '../../kernel/errors.js';
import { admin, route } from '../../kernel/route.js';
import { IntegrityQuery, IntegrityReply } from './audit.schema.js';
import { checkIntegrity } from './integrity.js';

export const auditAdmin = [
  route({
    method: 'GET',
    path: '/api/admin/audit-integrity',
    summary: 'Recompute the audit chains',
    auth: admin,
    schemas: { query: IntegrityQuery },
    replies: { 200: IntegrityReply },
    async handler({ deps, query }) {
      const { tenantId, tenant_id, environment, limit } = query;
      if (tenantId && tenant_id && tenantId !== tenant_id)
        invalid('query.tenant_id', 'names another tenant than tenantId');
      return checkIntegrity(deps, { tenantId: tenantId ?? tenant_id, environment, limit });
    },
  }),
];
