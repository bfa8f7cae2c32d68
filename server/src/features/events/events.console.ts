import { console, route } from '../../http/route.js';
import { listFeed } from './events.js';
import { ConsoleListEventsQuery, ConsoleStreamEventsQuery, EventListReply } from './events.schema.js';
import { FEED_DESCRIPTION, STREAM_DESCRIPTION, STREAM_HEADERS, streamExample } from './events-openapi.js';
import { streamEvents } from './events-stream.js';

export const eventsConsole = [
  route({
    operationId: 'consoleListEvents',
    method: 'GET',
    path: '/api/console/events',
    summary: 'Read the events of an environment after a position, oldest first',
    description: FEED_DESCRIPTION,
    auth: console,
    schemas: { query: ConsoleListEventsQuery },
    replies: { 200: EventListReply },
    errors: ['chain_diverged', 'rate_limit_exceeded'],
    compress: true,
    handler: (context) => listFeed(context),
  }),
  route({
    operationId: 'consoleStreamEvents',
    method: 'GET',
    path: '/api/console/events/stream',
    summary: 'Stream events of an environment as they happen',
    description: `${STREAM_DESCRIPTION} The stream ends after 15 minutes; connect again with \`Last-Event-ID\`.`,
    auth: console,
    schemas: { query: ConsoleStreamEventsQuery },
    headers: STREAM_HEADERS,
    replies: { 200: 'text/event-stream' },
    examples: { 200: streamExample },
    errors: ['chain_diverged', 'rate_limit_exceeded'],
    noStore: true,
    handler: (context) => streamEvents(context, context.header('last-event-id')),
  }),
];
