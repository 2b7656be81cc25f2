-- Of which state of the books the rest of the row was noted: where they went on since, it is not to be believed.
alter table workspaces add column fence bigint, add column head bigint;
create index workspaces_removed on workspaces (id) where removed;
