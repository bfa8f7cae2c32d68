import type {
  AttendanceCode,
  AttendanceMark,
  AttendanceMarkParams,
  Correction,
  CorrectionListParams,
  CorrectionPage,
  Inspection,
  InspectionCreateParams,
  InspectionListParams,
  InspectionPage,
  MonthCloseParams,
  MonthClosing,
  MonthState,
  NamedCorrection,
  PersonSheet,
  SheetListParams,
  SheetPage,
} from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.attendance.codes`: the codes that people scan to clock in or out. */
export class AttendanceCodes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The code to show until `refreshesAt`. A device has one code, and an API key a new one without a place. Scope `attendance:codes`. */
  async open(options?: RequestOptions): Promise<AttendanceCode> {
    return (await this.#transport.call('openAttendanceCode', {}, options)).code;
  }
}

/** `svc.attendance.sheets`: the hours of a month, person by person. */
export class Sheets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The sheets of a site's month, or that of one person. People see on their phones that somebody read them. For a file, use
   * `file`. Scope `attendance:read`.
   */
  list(filter: Omit<SheetListParams, 'format'>, options?: RequestOptions): Pages<PersonSheet, SheetPage> {
    return listOf(this.#transport, 'listSheets', 'sheets', filter, options);
  }

  /**
   * The month as a file, whose body is read as it comes: a table, or with `format: 'svc-hours'` the file that `verifyHours` of
   * `@svc/sdk/hours` checks. Scope `attendance:read`; for `svc-hours` also `identity:read` and `audit:read`.
   */
  file(
    filter: Omit<SheetListParams, 'format'> & {
      readonly format: Exclude<SheetListParams['format'], 'json' | undefined>;
    },
    options?: RequestOptions,
  ): Promise<Response> {
    return this.#transport.open('listSheets', { query: filter }, options);
  }
}

/** `svc.attendance.months`: what is open in a month, and its closings. */
export class Months {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The open flags and the closings. `month` is YYYY-MM. Scope `attendance:read`. */
  get(month: string, siteId: string, options?: RequestOptions): Promise<MonthState> {
    return this.#transport.call('getMonth', { path: { month }, query: { siteId } }, options);
  }

  /**
   * Closes the sheets, or closes them again with what changed. Scope `attendance:write`.
   * @throws SvcError `month_flags_open`, `month_not_over`, `month_changed`
   */
  async close(month: string, body: MonthCloseParams, options?: RequestOptions): Promise<MonthClosing> {
    return (await this.#transport.call('closeMonth', { path: { month }, body }, options)).closing;
  }
}

/** `svc.attendance.marks`: absences, which sheets show and never count. */
export class AttendanceMarks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Marks a day of a person. Retried safely. Scope `attendance:write`. */
  async create(mark: AttendanceMarkParams, options?: RequestOptions): Promise<AttendanceMark> {
    return (await this.#transport.call('createAttendanceMark', { body: mark }, options)).mark;
  }

  /** Removes a mark. Scope `attendance:write`. */
  async delete(id: string, options?: RequestOptions): Promise<AttendanceMark> {
    return (await this.#transport.call('deleteAttendanceMark', { path: { id } }, options)).mark;
  }
}

/** A link with its code, which are returned once. Give them on two ways. */
export interface NewInspection {
  readonly inspection: Inspection;
  /** The secret is behind the `#`. */
  readonly url: string;
  /** Six digits. */
  readonly code: string;
}

/** `svc.attendance.inspections`: links by which somebody without an account reads the sheets of a site for some time. */
export class Inspections {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lets somebody read the months `from` to `to` (YYYY-MM, both included, at most 48) for `hours` (default: 72, at most 720). People see on
   * their phones each time that somebody looks. Scopes `attendance:write` and `attendance:read`.
   */
  create(inspection: InspectionCreateParams, options?: RequestOptions): Promise<NewInspection> {
    return this.#transport.call('createInspection', { body: inspection }, options);
  }

  /** The inspections of a site or of all, newest first. Scope `attendance:read`. */
  list(filter: InspectionListParams = {}, options?: RequestOptions): Pages<Inspection, InspectionPage> {
    return listOf(this.#transport, 'listInspections', 'inspections', filter, options);
  }

  /** Ends an inspection: its link, and pages that are open. Scope `attendance:write`. */
  async revoke(id: string, options?: RequestOptions): Promise<Inspection> {
    return (await this.#transport.call('revokeInspection', { path: { id } }, options)).inspection;
  }
}

/**
 * `svc.attendance.corrections`: what people and the account want to change. Only people decide: the person on their phone, and a member
 * with the right `hours` in the console.
 */
export class Corrections {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A correction by id. Scope `attendance:read`. */
  async get(id: string, options?: RequestOptions): Promise<Correction> {
    return (await this.#transport.call('getCorrection', { path: { id } }, options)).correction;
  }

  /** All corrections that match the filter, newest first. Scope `attendance:read`. */
  list(filter: CorrectionListParams = {}, options?: RequestOptions): Pages<NamedCorrection, CorrectionPage> {
    return listOf(this.#transport, 'listCorrections', 'corrections', filter, options);
  }
}
