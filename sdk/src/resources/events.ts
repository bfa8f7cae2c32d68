import type { Event, EventPage } from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { type EventQuery, type EventReadOptions, fetchEvents, readEvents } from './event-reader.js';
import { type EventStreamOptions, streamEvents } from './event-stream.js';

/** `svc.events`: what happened in the key's environment, in order and without gaps. All methods need the scope `events:read`. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page after a position, oldest first. Continue with `next` as `after`. With `wait`, an empty page is returned later. */
  list(query: EventQuery = {}, options?: RequestOptions): Promise<EventPage> {
    return fetchEvents(this.#transport, query, options);
  }

  /**
   * All events after a position (default: from the first), then each new one, until the signal is aborted. Checks each event's
   * hash and, without `types`, that it follows the one before it.
   * @throws EventGapError if an event is missing, altered or out of order
   */
  read(options: EventReadOptions = {}): AsyncGenerator<Event, void, undefined> {
    return readEvents(this.#transport, options);
  }

  /**
   * Events as they happen, after a position (default: from now on), until the signal is aborted. Reconnects where it was cut. It
   * does not check hashes: `read` does.
   */
  stream(options: EventStreamOptions = {}): AsyncGenerator<Event, void, undefined> {
    return streamEvents(this.#transport, options);
  }
}
