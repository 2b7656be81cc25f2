-- An instance is a process. What it owns, it owns as long as lease_until has not passed; one that has passed is not renewed.
create table instances (
  id text primary key,
  address text not null,
  lease_until timestamptz not null
);

-- The books of one workspace. fence only grows; a commit names the one that it was made under. head is the last batch of the log,
-- folded the one as of which documents has everything. label says which key opens the books.
create table books (
  place text primary key,
  fence bigint not null,
  owner text,
  head bigint not null default 0,
  folded bigint not null default 0,
  label jsonb not null
) with (fillfactor = 50);
create index books_owner on books (owner);

create table commit_log (
  place text not null,
  number bigint not null,
  fence bigint not null,
  body bytea not null,
  primary key (place, number)
);

-- The content of books as of a batch, in parts.
create table documents (
  place text not null,
  number bigint not null,
  part integer not null,
  body bytea not null,
  primary key (place, number, part)
);

-- Content that was kept beside books, as a snapshot is. It is there once its row is: parts are written before.
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
