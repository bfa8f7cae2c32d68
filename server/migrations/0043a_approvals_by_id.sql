-- A phone knows only the id of an approval. A hash index finds it, and has no order: with a btree, PostgreSQL reads the approvals of all
-- accounts backwards for the page of one. 0043b drops that btree.
create index approvals_by_id on approvals using hash (id);
