import { readLines } from './lines.js';

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** For Last-Event-ID. Empty if none was sent yet. */
  readonly id: string;
}

/** Properties of a stream besides its events. */
export interface StreamState {
  /** Milliseconds to wait before reconnecting, if the server sent it. */
  retryMs?: number;
  /** The last id, which the server can also send without an event. */
  lastEventId?: string;
}

/** The events of a stream, parsed as in the HTML standard. Drops an incomplete event. */
export async function* readEvents(
  response: Response,
  state: StreamState = {},
  onChunk?: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  let event = '';
  let data: string[] = [];
  let id = '';
  for await (const line of readLines(response, onChunk)) {
    if (line === '') {
      if (id !== '') state.lastEventId = id;
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n'), id };
      event = '';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as unknown as [string, string, string?];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,6}$/.test(value)) state.retryMs = Number(value);
  }
}
