import { readLines } from './lines.js';

/** One event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** For Last-Event-ID; empty when none was sent yet. */
  readonly id: string;
}

/** What a stream tells its reader besides events. */
export interface StreamMood {
  /** Milliseconds to wait before connecting again, where the server said so. */
  retryMs?: number;
}

/** The events of a stream, by the rules of the HTML standard; an event that is cut off is dropped. */
export async function* readEvents(
  response: Response,
  mood: StreamMood = {},
  heard?: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  let event = '';
  let data: string[] = [];
  let id = '';
  for await (const line of readLines(response, heard)) {
    if (line === '') {
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n'), id };
      event = '';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as unknown as [string, string, string?];
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,6}$/.test(value)) mood.retryMs = Number(value);
  }
}
