-- Whether the e-mail of a person was typed at a device and nobody has confirmed it. Applications do not get it until then.
alter table tenant_users add column email_from_device boolean not null default false;
