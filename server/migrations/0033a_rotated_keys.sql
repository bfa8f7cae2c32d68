-- Rotation: a key that was rotated has an end, and the id of the key that replaced it. The networks that a key may be used from;
-- null: from everywhere. The network of its last use.
alter table api_keys
  add column replaced_by uuid,
  add column allowed_cidrs text[],
  add column last_used_network text;
