import type { Attendance } from './generated/api.js';
import { type ListFilter, listOf, type Pages } from './pages.js';
import type { Body, Reply, RequestOptions, Transport } from './transport.js';

/** `svc.attendance`: people checking in and out. */
export class AttendanceEvents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Records that somebody came or went. With a `verificationId` its result decides, unless `result` is given. Repeated
   * safely. Scope `attendance:write`.
   */
  async create(event: Body<'POST /v1/attendance'>, options?: RequestOptions): Promise<Attendance> {
    return (await this.#transport.call('POST /v1/attendance', { body: event }, options)).attendance;
  }

  /** An attendance event by id. Scope `attendance:read`. */
  async get(attendanceId: string, options?: RequestOptions): Promise<Attendance> {
    return (
      await this.#transport.call('GET /v1/attendance/{attendanceId}', { path: { attendanceId } }, options)
    ).attendance;
  }

  /** All events that fit the filter, newest first. Scope `attendance:read`. */
  list(
    filter: ListFilter<'GET /v1/attendance'> = {},
    options?: RequestOptions,
  ): Pages<Attendance, Reply<'GET /v1/attendance'>> {
    return listOf(this.#transport, 'GET /v1/attendance', 'attendance', filter, options);
  }
}
