-- Raised by a change of a member or of their log-ins, so that open streams notice it.
alter table tenants add column members_version integer not null default 0;
