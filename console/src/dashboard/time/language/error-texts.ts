type Code =
  | 'unreachable'
  | 'rate_limit_exceeded'
  | 'service_unavailable'
  | 'role_insufficient'
  | 'tenant_inactive'
  | 'site_not_found'
  | 'site_limit_reached'
  | 'user_not_found'
  | 'user_erased'
  | 'month_flags_open'
  | 'month_not_over'
  | 'month_changed'
  | 'attendance_mark_not_found'
  | 'correction_not_found'
  | 'correction_closed'
  | 'correction_open'
  | 'correction_outdated'
  | 'correction_waits_for_person'
  | 'correction_waits_for_member'
  | 'correction_of_oneself';

/** What went wrong, for a language other than that of the service’s messages. */
export interface ErrorTexts {
  readonly codes: Readonly<Record<Code, string>>;
  readonly unknown: (code: string) => string;
  /** Something within the page. */
  readonly unexpected: string;
  /** Of a value that the service does not accept. They follow the label of its field. */
  readonly fields: Readonly<Record<'timeZone' | 'workType' | 'code' | 'other', string>>;
  /** The same without a field. */
  readonly invalid: string;
}
