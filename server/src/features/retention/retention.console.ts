import { console, route } from '../../http/route.js';
import { countExpired } from './retention.js';
import { RetentionQuery, RetentionReply } from './retention.schema.js';

export const retentionConsole = [
  route({
    operationId: 'consolePreviewRetention',
    method: 'GET',
    path: '/api/console/retention',
    summary: 'Count the records that a retention time would delete now',
    description:
      'In both environments: what a security policy with `retention_days` of that many days would delete, if it were saved now. At most ' +
      '100,000 of each kind are counted.',
    auth: console({ role: 'auditor' }),
    schemas: { query: RetentionQuery },
    replies: { 200: RetentionReply },
    handler: ({ deps, scope, query }) => countExpired(deps, scope.tenantId, query.days),
  }),
];
