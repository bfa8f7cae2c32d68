import { open, route } from '../../http/route.js';
import { checkHealth } from './health.js';
import { DownReply, HealthReply, LiveReply, NotReadyReply, ReadyReply } from './health.schema.js';

export const healthPublic = [
  route({
    operationId: 'getHealth',
    method: 'GET',
    path: '/api/health',
    summary: 'Get the status of the service and its parts',
    auth: open,
    replies: { 200: HealthReply, 503: DownReply },
    async handler({ deps, setStatus, setHeader }) {
      const health = await checkHealth(deps);
      setHeader('cache-control', 'no-store');
      if (health.subsystems.database.writes !== 'ok') {
        setStatus(503);
        setHeader('retry-after', '2');
      }
      return health;
    },
  }),
  route({
    operationId: 'getLiveness',
    method: 'GET',
    path: '/api/health/live',
    summary: 'Check that the process responds',
    auth: open,
    replies: { 200: LiveReply },
    database: false,
    handler: async () => ({ status: 'ok' }),
  }),
  route({
    operationId: 'getReadiness',
    method: 'GET',
    path: '/api/health/ready',
    summary: 'Check that the process accepts work: the database accepts writes and no shutdown has begun',
    auth: open,
    replies: { 200: ReadyReply, 503: NotReadyReply },
    async handler({ deps, setStatus, setHeader }) {
      const ready = deps.ready() && (await deps.databaseProbe.check()).writes;
      if (!ready) {
        setStatus(503);
        setHeader('retry-after', '2');
      }
      return { status: ready ? 'ready' : 'not_ready' };
    },
  }),
];
