-- The highest share of the month's quota, in percent, that `quota.threshold` has told of.
alter table usage_months add column threshold smallint not null default 0;
create index usage_months_open on usage_months (month) where threshold < 100;
