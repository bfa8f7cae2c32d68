-- Sessions that simulated sign-on opened.
alter table sessions add column simulated boolean not null default false;
