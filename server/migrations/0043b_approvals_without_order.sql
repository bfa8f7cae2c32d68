-- 0043a made the index that takes its place.
drop index approvals_id;
