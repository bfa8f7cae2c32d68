-- Each time that the database was restored from a backup. A node only serves the database if the newest epoch is its own RESTORE_EPOCH.
create table restores (
  epoch integer primary key check (epoch > 0),
  finished_at timestamptz(3) not null
);
