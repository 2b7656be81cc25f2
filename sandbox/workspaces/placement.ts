import type { Meta } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import type { DormantWorkspace, ListQuery, WorkspaceRecord, WorkspaceSummary } from './workspace-record.ts';

/** A workspace that needs an owner. */
export type UnattendedWorkspace = WorkspaceRecord & { readonly isRemoved: boolean };

/**
 * Where workspaces are that several instances share, and whose credentials are (OP-207). One instance has a workspace in
 * memory at a time; the owner can be outdated when it is read, so the store rejects writes of an instance that is not the
 * owner.
 */
export interface Placement {
  /** Where others hand calls on to this instance: `host:port`. */
  readonly address: string;
  /** The state of the demo workspace on any instance; undefined if there is none yet. */
  demo(): Promise<Meta | undefined>;
  /** Names of stored workspaces without a record. */
  unenrolled(): Promise<readonly string[]>;
  /** The id of the workspace that a secret belongs to, by its digest; undefined if there is none. */
  findByDigest(digest: string): Promise<string | undefined>;
  /** The record of a workspace; undefined if there is none, or it is being deleted. */
  find(id: string): Promise<WorkspaceRecord | undefined>;
  /** Whether there was no workspace of this id a moment ago. */
  wasUnknown(id: string): boolean;
  /** Where the instance is that has a workspace in memory; undefined where none has that lives. */
  ownerOf(id: string): Promise<string | undefined>;
  /** Drops the cached owner after a caller found that it is wrong. */
  forget(id: string): void;
  /** Whether an instance with this address holds its lease. */
  isLive(address: string): Promise<boolean>;
  /** Registers a workspace whose store is complete. */
  enrol(dormant: DormantWorkspace): Promise<void>;
  /** Replaces the record of a workspace. */
  note(record: WorkspaceRecord): Promise<void>;
  /** The records that match the query, oldest first. */
  list(ask: ListQuery): Promise<readonly WorkspaceRecord[]>;
  count(): Promise<number>;
  /** How many there are for which a workspace answers. */
  countCreatedBy(id: string): Promise<number>;
  /**
   * Some of the workspaces without a live owner that need one: work is due, they must be deleted, or
   * their owner died.
   */
  unattended(now: number): Promise<readonly UnattendedWorkspace[]>;
  /**
   * The same for workspaces that have expired, or whose record is older than their store, as after an instance that does
   * not share them used them. Scans all records.
   */
  neglected(now: number): Promise<readonly UnattendedWorkspace[]>;
  /** Changes the expiry of a workspace, and notifies its owner; undefined if there is no such workspace. */
  changeLife(id: string, change: (life: Life) => Life): Promise<WorkspaceSummary | undefined>;
  /** Removes every reference to a workspace; its collections will be deleted. */
  remove(id: string): Promise<void>;
  /** Whether a workspace has a record. One that is being deleted has it until its store is gone. */
  isThere(id: string): Promise<boolean>;
  /** Calls `listener` for each workspace that is to go, or that has another life. */
  onAnnouncement(listener: (what: { readonly kind: 'removed' | 'changed'; readonly id: string }) => void): void;
}
