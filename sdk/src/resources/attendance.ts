import type {
  Attendance,
  AttendanceCreateParams,
  AttendanceListParams,
  AttendancePage,
  AttendanceRecordProof,
  AttendanceRecordProofGetParams,
} from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';
import {
  AttendanceCodes,
  AttendanceMarks,
  Corrections,
  Inspections,
  Months,
  Sheets,
} from './working-time.js';

/** `svc.attendance`: people checking in and out. */
export class AttendanceEvents {
  /** The codes that people scan. */
  readonly codes: AttendanceCodes;
  /** The hours of a month. */
  readonly sheets: Sheets;
  /** What is open in a month, and its closings. */
  readonly months: Months;
  /** Absences. */
  readonly marks: AttendanceMarks;
  /** Links for an inspection. */
  readonly inspections: Inspections;
  /** What people and the account want to change. */
  readonly corrections: Corrections;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.codes = new AttendanceCodes(transport);
    this.sheets = new Sheets(transport);
    this.months = new Months(transport);
    this.marks = new AttendanceMarks(transport);
    this.inspections = new Inspections(transport);
    this.corrections = new Corrections(transport);
  }

  /**
   * Records that a person came or left. If `result` is omitted, it follows from the verification in `verificationId`. Retried
   * safely. Scope `attendance:write`.
   */
  async create(event: AttendanceCreateParams, options?: RequestOptions): Promise<Attendance> {
    return (await this.#transport.call('createAttendance', { body: event }, options)).attendance;
  }

  /** An attendance event by id. Scope `attendance:read`. */
  async get(attendanceId: string, options?: RequestOptions): Promise<Attendance> {
    return (await this.#transport.call('getAttendance', { path: { attendanceId } }, options)).attendance;
  }

  /**
   * What the event says, with the proof that the audit chain has it so. `from`: the size of a tree that you kept. `verifyRecord` of
   * `@svc/sdk/receipts` checks it. Scopes `attendance:read` and `audit:read`.
   */
  proof(
    attendanceId: string,
    query: AttendanceRecordProofGetParams = {},
    options?: RequestOptions,
  ): Promise<AttendanceRecordProof> {
    return this.#transport.call('getAttendanceProof', { path: { attendanceId }, query }, options);
  }

  /** All events that match the filter, newest first. Scope `attendance:read`. */
  list(filter: AttendanceListParams = {}, options?: RequestOptions): Pages<Attendance, AttendancePage> {
    return listOf(this.#transport, 'listAttendance', 'attendance', filter, options);
  }
}
