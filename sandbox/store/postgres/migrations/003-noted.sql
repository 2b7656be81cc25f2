-- Of which state of the books the rest of the row was noted: where they went on since, it is not to be believed.
alter table workspaces add column fence bigint, add column head bigint;
create index workspaces_removed on workspaces (id) where removed;

-- Whoever has a workspace in memory hears that it has another name or another end.
create function tell_life() returns trigger language plpgsql as $$
begin
  perform pg_notify('rewards_sandbox', 'changed ' || new.id);
  return null;
end $$;
create trigger workspaces_life_changed after update of life on workspaces
  for each row when (old.life->'changed' is distinct from new.life->'changed') execute function tell_life();
