-- What the board of partners shows of a workspace, as its owner noted it last; null before that.
alter table workspaces add column figures jsonb;
