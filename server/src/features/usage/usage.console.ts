import { console, route } from '../../http/route.js';
import { readSeries } from './series.js';
import { readUsage } from './usage.js';
import { SeriesQuery, SeriesReply, UsageReply } from './usage.schema.js';

export const usageConsole = [
  route({
    operationId: 'consoleGetUsage',
    method: 'GET',
    path: '/api/console/usage',
    summary: 'Get the calls of this month and the eleven before, and the last 50 calls',
    auth: console({ role: 'auditor' }),
    replies: { 200: UsageReply },
    compress: true,
    handler: ({ deps, principal }) => readUsage(deps, principal.tenant),
  }),
  route({
    operationId: 'consoleGetUsageSeries',
    method: 'GET',
    path: '/api/console/usage/series',
    summary: 'Get the number of calls and their duration by hour or day, for charts',
    description:
      'Each endpoint, status or key that was called in the range has a point for every step, also where it has no calls. Steps are whole ' +
      'hours and days in UTC. Calls are kept for 90 days. The default range is the last 48 hours, or 30 days with `step=day`; by hour, it ' +
      'is at most 14 days. If there are more than 50 groups, those with the most calls are listed. Calls that returned 429 or 503 are ' +
      'not counted.',
    auth: console({ role: 'auditor' }),
    schemas: { query: SeriesQuery },
    replies: { 200: SeriesReply },
    compress: true,
    handler: (context) => readSeries(context),
  }),
];
