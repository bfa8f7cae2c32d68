import { console, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { readOverview } from './overview.js';
import { OverviewReply } from './overview.schema.js';

export const overviewConsole = [
  route({
    operationId: 'consoleGetOverview',
    method: 'GET',
    path: '/api/console/overview',
    summary: 'Get the number of records of each kind, and the ten newest of each',
    description:
      '`verificationDays` has the last 14 days, oldest first, also those without verifications. The last one is today.',
    auth: console({ role: 'auditor' }),
    schemas: { query: EnvironmentQuery },
    replies: { 200: OverviewReply },
    compress: true,
    handler: (context) => readOverview(context),
  }),
];
