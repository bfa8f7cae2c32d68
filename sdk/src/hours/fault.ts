import type { ReceiptFaultCode } from '../receipts/fault.js';

/** Why a file cannot be checked to its end. docs/hours-file.md explains each code. */
export type HoursFaultCode =
  | Extract<
      ReceiptFaultCode,
      | 'malformed'
      | 'tree_wrong'
      | 'key_unknown'
      | 'signature_wrong'
      | 'signature_unsupported'
      | 'kept_head_differs'
      | 'setup_unknown'
      | 'setup_forgeable'
    >
  | 'incomplete'
  | 'altered'
  | 'chain_broken';

/** What is wrong with an event, a correction or a sheet. The file is read to its end, and all of them are counted. */
export type HoursFindingCode =
  | 'record_changed'
  | 'record_missing'
  | 'record_unknown'
  | 'record_resealed'
  | 'salt_missing'
  | 'entry_missing'
  | 'punch_wrong'
  | 'punch_reused'
  | 'proof_invalid'
  | 'enrolment_wrong'
  | 'enrolment_missing'
  | 'correction_wrong'
  | 'correction_missing'
  | 'sheet_wrong'
  | 'closing_wrong';

export interface HoursFinding {
  readonly code: HoursFindingCode;
  /** A sentence. */
  readonly message: string;
  /** The number of the line, if there is one. */
  readonly line?: number;
  readonly about?: HoursSubject;
}

/** Whose event a finding is about, as far as the file says it. */
export interface HoursSubject {
  readonly userId?: string;
  readonly eventId?: string;
  /** When the event happened. If it is gone: when it was recorded. */
  readonly at?: string;
}

export class HoursFault extends Error {
  override readonly name = 'HoursFault';
  readonly code: HoursFaultCode;
  constructor(code: HoursFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Findings that are listed. All are counted. */
const MAX_LISTED = 1_000;

/** Collects findings in constant memory. */
export class Findings {
  count = 0;
  readonly listed: HoursFinding[] = [];
  /** What is checked now. */
  subject: HoursSubject | undefined;

  add(code: HoursFindingCode, message: string, line?: number, about = this.subject): void {
    this.count += 1;
    if (this.listed.length < MAX_LISTED)
      this.listed.push({ code, message, ...(line !== undefined && { line }), ...(about && { about }) });
  }
}
