-- A role for who works at a reception. A node of the version before lets them do nothing.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check check (role in ('auditor', 'reception', 'developer', 'owner'));
