import { type Attendance, type AttendanceCode, ROUTES } from '../generated/api.js';
import { type SvcRequests, transportOf } from '../requests.js';
import { SvcError } from '../transport/errors.js';
import { readEvents } from '../transport/sse.js';
import { linkedController, sleep } from '../transport/timing.js';
import { backoff, type Transport } from '../transport/transport.js';
import { isTransient } from './pairing-watch.js';

/** A code to show, until `refreshesAt`. */
export type ShownAttendanceCode = Omit<AttendanceCode, 'streamUrl'>;

/** Somebody has clocked in or out by the code. */
export interface Punch extends Pick<Attendance, 'type' | 'reason'> {
  readonly attendanceId: string;
  /** In ISO 8601. */
  readonly at: string;
  /** The first name, if the company’s policy shows it. */
  readonly name?: string;
}

/** Callbacks while a code is shown. */
export interface AttendanceCodeWatch {
  /** Show this code instead of the one before. */
  onCode(code: ShownAttendanceCode): void;
  onPunch?(punch: Punch): void;
  /** The connection is lost. Show no code until `onCode` is called again. */
  onLost?(error: SvcError): void;
  readonly signal?: AbortSignal | undefined;
}

/** The server sends a code every 15 seconds. */
const SILENCE_TIMEOUT_MS = 20_000;

/**
 * Follows the code of a desk, until the signal aborts it, whose reason it then throws. What happened while it was not connected is not
 * reported: those people have left. @throws SvcError for what a retry can’t fix
 */
export async function watchAttendanceCode(client: SvcRequests, watch: AttendanceCodeWatch): Promise<never> {
  const transport = transportOf(client);
  const { timing } = transport.settings;
  let failures = 0;
  for (;;) {
    try {
      const { code } = await transport.call('openAttendanceCode', {}, { signal: watch.signal });
      watch.onCode(code);
      await follow(transport, code.id, watch, () => {
        failures = 0;
      });
    } catch (error) {
      watch.signal?.throwIfAborted();
      if (!(error instanceof SvcError && isTransient(error))) throw error;
      failures += 1;
      // Don't report the first failure, because the next attempt usually succeeds.
      if (failures > 1) watch.onLost?.(error);
      const pause = error.retryAfterSeconds;
      await sleep(timing, pause === undefined ? backoff(timing, failures - 1) : pause * 1000, watch.signal);
    }
  }
}

/** Reads one connection. @throws SvcError `stream_cut` when it ends */
async function follow(
  transport: Transport,
  codeId: string,
  { onCode, onPunch, signal }: AttendanceCodeWatch,
  onEvent: () => void,
): Promise<never> {
  const { timing, baseUrl } = transport.settings;
  const connection = linkedController(signal);
  let cancel = () => {};
  const expectData = () => {
    cancel();
    cancel = timing.after(SILENCE_TIMEOUT_MS, () => connection.abort());
  };
  let cause: unknown;
  try {
    const options = { signal: connection.signal };
    const headers = { accept: 'text/event-stream' };
    const response = await transport.open('streamAttendanceCode', { path: { codeId } }, options, headers);
    expectData();
    for await (const { event, data } of readEvents(response, {}, expectData)) {
      onEvent();
      if (event === 'code') onCode(JSON.parse(data));
      else if (event === 'attendance') onPunch?.(JSON.parse(data));
    }
  } catch (error) {
    if (error instanceof SvcError) throw error;
    cause = error;
  } finally {
    cancel();
    connection.release();
    connection.abort();
  }
  signal?.throwIfAborted();
  throw new SvcError(
    'stream_cut',
    `The code’s event stream from ${baseUrl} was cut. The client reconnects.`,
    {
      operation: ROUTES.streamAttendanceCode.route,
      cause,
    },
  );
}
