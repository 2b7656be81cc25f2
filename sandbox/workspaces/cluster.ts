import type { Meta } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import type { Workspace } from './workspace.ts';
import type { Loader, WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';
import type { DormantWorkspace, ListQuery, WorkspaceRecord, WorkspaceSummary } from './workspace-record.ts';

/** The instances that share workspaces with this process; the registry of a single process has none (OP-207). */
export interface Cluster {
  readonly records: SharedRecords;
  /** Joins with the workspaces of this process. Called once. */
  join(host: ClusterHost): Sharing;
}

/** The records of all workspaces that instances share, whichever of them has one in memory. */
export interface SharedRecords {
  /** The state of the demo workspace on any instance; undefined if there is none yet. */
  demo(): Promise<Meta | undefined>;
  /** Where the instance is that has a workspace in memory; undefined if none has that lives. */
  ownerOf(id: string): Promise<string | undefined>;
  /** Names of stored workspaces without a record. */
  unenrolled(): Promise<readonly string[]>;
  /** Registers a workspace whose store is complete. */
  enrol(dormant: DormantWorkspace): Promise<void>;
  /** Replaces the record of a workspace. */
  note(record: WorkspaceRecord): Promise<void>;
  /** The records that match the query, oldest first. */
  list(ask: ListQuery): Promise<readonly WorkspaceRecord[]>;
  /** How many there are; with an id, how many for which that workspace answers. */
  count(createdBy?: string): Promise<number>;
  /** Changes the expiry of a workspace, and notifies its owner; undefined if there is no such workspace. */
  changeLife(id: string, change: (life: Life) => Life): Promise<WorkspaceSummary | undefined>;
  /** Removes every reference to a workspace; its collections will be deleted. */
  remove(id: string): Promise<void>;
}

/** The workspaces of this process, for the cluster. */
export interface ClusterHost {
  readonly index: WorkspaceIndex;
  /** Opens the store of a workspace. Rejects with `OwnedElsewhere` where another instance has it. */
  readonly load: (handle: WorkspaceHandle) => Promise<Workspace>;
  /** Deletes a workspace. Rejects with `WorkspaceGone`. */
  readonly remove: (handle: WorkspaceHandle) => Promise<void>;
  /** Changes the expiry of a workspace, unless it is being deleted. */
  readonly changeLife: (handle: WorkspaceHandle, change: (life: Life) => Life) => Promise<unknown>;
  /** Waits for the end of a workspace before the process ends, and warns if it fails. */
  readonly follow: (ending: Promise<void>, what: string) => void;
  readonly realTime: () => number;
  readonly warn: (message: string) => void;
}

/** Loads workspaces while this process needs them, and unloads them for other instances. */
export interface Sharing extends Loader {
  readonly records: SharedRecords;
  /** Slots for workspaces in memory. */
  readonly slots: {
    /** Takes one, once there is one. */
    acquire(): Promise<void>;
    /** Takes one beyond the limit: for a workspace that is already in memory. */
    occupy(): void;
    release(): void;
    /** A workspace may have become idle. */
    recheck(): void;
  };
  /** Begins to adopt workspaces that no instance has. */
  start(): void;
  /** Begins nothing more, and resolves when work in progress has ended. */
  stop(): Promise<void>;
  /** Unloads a workspace if it is idle. Resolves with whether it was. */
  unload(handle: WorkspaceHandle): Promise<boolean>;
  /** Unloads those that no call has used for a while. */
  unloadIdle(): Promise<void>;
  /** Applies an expiry that another instance has changed. */
  learn(handle: WorkspaceHandle): Promise<void>;
  /** Has another instance remove a workspace. Resolves once it has, with whether there was one. */
  removeElsewhere(id: string): Promise<boolean>;
  measured(): Pick<WorkspacesMeasured, 'count' | 'gaveUp'>;
}
