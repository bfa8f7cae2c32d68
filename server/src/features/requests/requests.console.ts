import { console, route } from '../../http/route.js';
import { ids } from '../../model/example-fixtures.js';
import { listLog, listRejected } from './requests.js';
import * as schema from './requests.schema.js';
import { streamLog } from './requests-stream.js';

const streamExample = `id: ${ids.request}
event: request
data: {"timestamp":"2026-05-12T09:30:00.000Z","method":"PATCH","path":"/v1/devices/:deviceId","status":404,"durationMs":38,"keyId":"${ids.apiKey}","requestId":"${ids.request}","error":"device_not_found"}

`;

export const requestsConsole = [
  route({
    operationId: 'consoleListRequests',
    method: 'GET',
    path: '/api/console/requests',
    summary: 'List the last requests with an API key of an environment, newest first',
    description:
      'At most the last 1,000 requests of the account and those of the last 7 days. Requests that returned 429 or 503 are not logged: those that the ' +
      'plan rejected are counted (GET `/api/console/requests/rejected`). Of an ' +
      'account that makes more than 100 a second, after a burst of 1,000, only a part is. A ' +
      'request is logged within a second after its response.',
    auth: console({ role: 'auditor' }),
    schemas: { query: schema.ListQuery },
    replies: { 200: schema.RequestListReply },
    compress: true,
    handler: (context) => listLog(context),
  }),
  route({
    operationId: 'consoleListRejectedRequests',
    method: 'GET',
    path: '/api/console/requests/rejected',
    summary: 'List how many requests with an API key were rejected in each minute, newest first',
    description:
      'Requests with a valid key that were rejected because the month’s quota or the plan’s window was used up, or because the account was ' +
      'inactive. Those of a minute with the same error code are one row. Rows are kept for 7 days and appear within a second.',
    auth: console({ role: 'auditor' }),
    schemas: { query: schema.RejectedQuery },
    replies: { 200: schema.RejectedListReply },
    compress: true,
    handler: (context) => listRejected(context),
  }),
  route({
    operationId: 'consoleStreamRequests',
    method: 'GET',
    path: '/api/console/requests/stream',
    summary: 'Stream requests with an API key as they are logged',
    description:
      'Each event `request` is a row of the list. To get no request twice and miss none, open the stream before reading the list, and ' +
      'compare by `requestId`. If there are more requests than the stream can send, an event `requests_skipped` says that some are ' +
      'missing. The stream ends after 15 minutes; connect again with `Last-Event-ID`.',
    auth: console({ role: 'auditor' }),
    schemas: { query: schema.StreamQuery },
    headers: { 'Last-Event-ID': 'The last event that was seen; requests after it are sent first.' },
    replies: { 200: 'text/event-stream' },
    examples: { 200: streamExample },
    errors: ['rate_limit_exceeded'],
    noStore: true,
    handler: (context) => streamLog(context, context.header('last-event-id')),
  }),
];
