-- The rows there fulfil the new check.
alter table one_time_codes
  drop constraint one_time_codes_purpose_check,
  add constraint one_time_codes_purpose_check
    check (purpose in ('device', 'pair', 'enroll', 'verify', 'addition')) not valid;
