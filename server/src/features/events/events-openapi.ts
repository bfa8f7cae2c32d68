import { exampleOf } from '../../http/openapi/example.js';
import { Event } from './events.schema.js';

export const FEED_DESCRIPTION =
  '`next` is the last event that was examined: the `after` of the next request. Up to 10,000 events are examined, so a page ' +
  'can be empty although more events follow. With `wait`, a page without events is returned when one arrives or after that many ' +
  'seconds. An `after` of `<seq>.<hash>` also checks that the event there is the one that was read: 409 `chain_diverged` otherwise.';

export const STREAM_DESCRIPTION =
  'Each event has its type as `event`, its sequence number as `id` and the same `data` as in the feed. The stream begins after ' +
  '`Last-Event-ID`, else after `after`, else with the next event; an `id` without an event comes first, for clients that are cut off before it. It ends when the key is revoked.';

export const STREAM_HEADERS = { 'Last-Event-ID': 'The last event that was seen; those after it are sent.' };

export const streamExample = `id: 41\n\nid: 42\nevent: device.created\ndata: ${JSON.stringify(exampleOf(Event, 'Event'))}\n\n`;
