-- An instance is a process. It owns its stores until lease_until; an expired lease is not renewed. internal is its address for
-- forwarded calls; null where it takes none.
create table instances (
  id text primary key,
  address text not null,
  lease_until timestamptz not null,
  internal text
);

-- The store of one workspace. fence only grows, and each commit states the fence that it was made under. head is the last batch of
-- the log, checkpoint the batch up to which documents has everything. label identifies the key that the store is sealed with.
create table stores (
  place text primary key,
  fence bigint not null,
  owner text,
  head bigint not null default 0,
  checkpoint bigint not null default 0,
  label jsonb not null
) with (fillfactor = 50);
create index stores_owner on stores (owner);

create table commit_log (
  place text not null,
  number bigint not null,
  fence bigint not null,
  body bytea not null,
  primary key (place, number)
);

-- The content of a store as of a batch, in parts.
create table documents (
  place text not null,
  number bigint not null,
  part integer not null,
  body bytea not null,
  primary key (place, number, part)
);

-- Content beside the stores, such as snapshots. Its parts are written before its row, so that a row means complete content.
create table copies (
  place text primary key,
  version text not null,
  parts integer not null,
  label jsonb not null
);

create table copy_parts (
  place text not null,
  version text not null,
  part integer not null,
  body bytea not null,
  primary key (place, version, part)
);

-- What is known of a workspace while no instance has it in memory. due_at is when its next work is due, in milliseconds of real time.
-- fence and head are those of its store when the row was written; a row older than its store is not used. A removed workspace waits
-- until its store is deleted.
create table workspaces (
  id text primary key,
  place text not null unique,
  life jsonb not null,
  due_at double precision,
  removed boolean not null default false,
  fence bigint,
  head bigint
);
create index workspaces_due on workspaces (due_at) where due_at is not null;
create index workspaces_removed on workspaces (id) where removed;

-- Digests of a workspace's secrets, by which its calls are found.
create table credentials (
  digest text primary key,
  id text not null
);
create index credentials_id on credentials (id);

-- Instances are notified of each other's changes. The payload names the change and its subject.
create function announce_owner() returns trigger language plpgsql as $$
begin
  perform pg_notify('rewards_sandbox', 'owner ' || new.place);
  return null;
end $$;
create trigger stores_owner_changed after update of owner on stores
  for each row when (old.owner is distinct from new.owner) execute function announce_owner();

create function announce_workspace() returns trigger language plpgsql as $$
begin
  perform pg_notify('rewards_sandbox', case when tg_op = 'INSERT' then 'created ' || new.id else 'removed ' || old.id end);
  return null;
end $$;
create trigger workspaces_created after insert or delete on workspaces for each row execute function announce_workspace();
create trigger workspaces_removed after update of removed on workspaces
  for each row when (new.removed) execute function announce_workspace();

-- The instance that has a workspace in memory is notified of its new name or expiry.
create function announce_life() returns trigger language plpgsql as $$
begin
  perform pg_notify('rewards_sandbox', 'changed ' || new.id);
  return null;
end $$;
create trigger workspaces_life_changed after update of life on workspaces
  for each row when (old.life->'changed' is distinct from new.life->'changed') execute function announce_life();
