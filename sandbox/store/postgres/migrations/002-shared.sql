-- What has to be known of a workspace while no instance has it in memory. due_at is when its next work falls due, in milliseconds of
-- real time. One that is removed waits for its books to go.
create table workspaces (
  id text primary key,
  place text not null unique,
  life jsonb not null,
  due_at double precision,
  removed boolean not null default false
);
create index workspaces_due on workspaces (due_at) where due_at is not null;

-- By what calls are found to be a workspace's own: digests of its secrets.
create table credentials (
  digest text primary key,
  id text not null
);
create index credentials_id on credentials (id);

-- Where an instance takes calls from others; null where it takes none.
alter table instances add column internal text;

-- Instances hear of each other's changes. The payload is what changed, and of what.
create function tell_owner() returns trigger language plpgsql as $$
begin
  perform pg_notify('rewards_sandbox', 'owner ' || new.place);
  return null;
end $$;
create trigger books_owner_changed after update of owner on books
  for each row when (old.owner is distinct from new.owner) execute function tell_owner();

create function tell_workspace() returns trigger language plpgsql as $$
begin
  perform pg_notify('rewards_sandbox', case when tg_op = 'INSERT' then 'made ' || new.id else 'removed ' || old.id end);
  return null;
end $$;
create trigger workspaces_made after insert or delete on workspaces for each row execute function tell_workspace();
create trigger workspaces_removed after update of removed on workspaces
  for each row when (new.removed) execute function tell_workspace();
