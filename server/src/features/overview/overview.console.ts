import { console, route } from '../../http/route.js';
import { readOpenNow } from './open-now.js';
import { OpenNowQuery, OpenNowReply } from './open-now.schema.js';
import { readOverview } from './overview.js';
import { OverviewQuery, OverviewReply } from './overview.schema.js';

export const overviewConsole = [
  route({
    operationId: 'consoleGetOverview',
    method: 'GET',
    path: '/api/console/overview',
    summary: 'Get the number of records of each kind, and the ten newest of each',
    description:
      '`verificationDays` has the last 14 days, oldest first, also those without verifications. The last one is today. `today` counts from `since`, such as the start of the reader’s ' +
      'day, which is at most 48 hours ago; by default from the start of the day in UTC. Each figure of it is of the newest 10,000 records.',
    auth: console({ role: 'auditor' }),
    schemas: { query: OverviewQuery },
    replies: { 200: OverviewReply },
    compress: true,
    handler: (context) => readOverview(context),
  }),
  route({
    operationId: 'consoleGetOpenNow',
    method: 'GET',
    path: '/api/console/open-now',
    summary: 'List the people at a desk who need somebody now',
    description:
      'People whose newest verification of the last hour failed, at most 20, and those whose last phone an API key revoked in the last 7 days, at most five. Registrations and recoveries that wait are lists of their own.',
    auth: console({ role: 'reception' }),
    schemas: { query: OpenNowQuery },
    replies: { 200: OpenNowReply },
    handler: (context) => readOpenNow(context),
  }),
];
