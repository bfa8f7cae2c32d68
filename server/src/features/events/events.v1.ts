import { key, route } from '../../http/route.js';
import { listFeed } from './events.js';
import { EventListReply, ListEventsQuery, StreamEventsQuery } from './events.schema.js';
import { FEED_DESCRIPTION, STREAM_DESCRIPTION, STREAM_HEADERS, streamExample } from './events-openapi.js';
import { streamEvents } from './events-stream.js';

export const eventsV1 = [
  route({
    operationId: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    summary: 'Read the events after a position, oldest first',
    description: FEED_DESCRIPTION,
    auth: key('events:read', { console: { role: 'auditor' } }),
    schemas: { query: ListEventsQuery },
    replies: { 200: EventListReply },
    errors: ['chain_diverged', 'rate_limit_exceeded'],
    compress: true,
    handler: (context) => listFeed(context),
  }),
  route({
    operationId: 'streamEvents',
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Stream events as they happen',
    description: `${STREAM_DESCRIPTION} For a session of the dashboard, the stream ends after 15 minutes.`,
    auth: key('events:read', { console: { role: 'auditor' } }),
    schemas: { query: StreamEventsQuery },
    headers: STREAM_HEADERS,
    replies: { 200: 'text/event-stream' },
    examples: { 200: streamExample },
    errors: ['chain_diverged', 'rate_limit_exceeded'],
    noStore: true,
    handler: (context) => streamEvents(context, context.header('last-event-id')),
  }),
];
