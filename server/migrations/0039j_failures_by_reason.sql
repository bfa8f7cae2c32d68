-- Why verifications failed. The dashboard links each reason to the verifications that failed for it.
create index verifications_reason on verifications (tenant_id, environment, reason, occurred_at, id)
  where result = 'fail' and reason is not null;
