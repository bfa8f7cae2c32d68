-- What each node may still admit of a month's quota without asking: node → [calls, until (Unix ms)]. In the month's own
-- row, so that one statement judges all of them under one lock. Whoever runs out of time has lost what it held.
alter table usage_months add column leases jsonb not null default '{}';
