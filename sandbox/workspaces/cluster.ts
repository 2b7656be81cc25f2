import type { Meta } from '../assembly/collections.ts';
import type { Life } from '../assembly/life.ts';
import type { WorkspacesMeasured } from '../runtime/observer.ts';
import type { Workspace } from './workspace.ts';
import type { Loader, WorkspaceHandle } from './workspace-handle.ts';
import type { WorkspaceIndex } from './workspace-index.ts';
import type { DormantWorkspace, ListQuery, WorkspaceRecord, WorkspaceSummary } from './workspace-record.ts';

/** The instances that share workspaces with this process (OP-207). The registry of a single process has no cluster. */
export interface Cluster {
  readonly records: SharedRecords;
  /** Connects the workspaces of this process to the cluster. Called once. */
  join(host: ClusterHost): Sharing;
}

/** The records of all shared workspaces, regardless of the instances that own them. */
export interface SharedRecords {
  /** Returns the state of the demo workspace on any instance; undefined if there is none yet. */
  demo(): Promise<Meta | undefined>;
  /** Returns the address of the live instance that has a workspace in memory; undefined if there is none. */
  ownerOf(id: string): Promise<string | undefined>;
  /** Returns the names of stored workspaces without a record. */
  unenrolled(): Promise<readonly string[]>;
  /** Registers a workspace whose store is complete. */
  enrol(dormant: DormantWorkspace): Promise<void>;
  /** Updates the record of a workspace. */
  note(record: WorkspaceRecord): Promise<void>;
  /** Returns the records that match the query, oldest first. */
  list(ask: ListQuery): Promise<readonly WorkspaceRecord[]>;
  /** Returns the number of workspaces. With an id, returns the number for which that workspace answers. */
  count(createdBy?: string): Promise<number>;
  /** Changes the name or expiry of a workspace, and notifies its owner. Returns undefined if there is no such workspace. */
  changeLife(id: string, change: (life: Life) => Life): Promise<WorkspaceSummary | undefined>;
  /** Revokes the credentials of a workspace and marks it for removal. Its collections are deleted later. */
  remove(id: string): Promise<void>;
}

/** The access of the cluster to the workspaces of this process. */
export interface ClusterHost {
  readonly index: WorkspaceIndex;
  /** Opens the store of a workspace. Rejects with `OwnedElsewhere` if another instance owns it. */
  readonly load: (handle: WorkspaceHandle) => Promise<Workspace>;
  /** Deletes a workspace. Rejects with `WorkspaceGone` if this process no longer has it. */
  readonly remove: (handle: WorkspaceHandle) => Promise<void>;
  /** Changes the name or expiry of a workspace, unless it is being deleted. */
  readonly changeLife: (handle: WorkspaceHandle, change: (life: Life) => Life) => Promise<unknown>;
  /** Delays the end of the process until a workspace has ended, and warns if that fails. */
  readonly follow: (ending: Promise<void>, what: string) => void;
  readonly realTime: () => number;
  readonly warn: (message: string) => void;
}

/** The loader of shared workspaces. It loads them while this process needs them, and unloads them for other instances. */
export interface Sharing extends Loader {
  readonly records: SharedRecords;
  /** The slots for workspaces in memory. */
  readonly slots: {
    /** Acquires a slot, and waits for a free one if necessary. */
    acquire(): Promise<void>;
    /** Acquires a slot even beyond the limit, for a workspace that is already in memory. */
    occupy(): void;
    release(): void;
    /** Wakes the next waiting caller, because a workspace may have become idle. */
    recheck(): void;
  };
  /** Starts to adopt workspaces that no instance owns. */
  start(): void;
  /** Starts no new work, and resolves when work in progress has ended. */
  stop(): Promise<void>;
  /** Unloads a workspace if it is idle. Resolves with whether it was unloaded. */
  unload(handle: WorkspaceHandle): Promise<boolean>;
  /** Unloads workspaces that no call has used for a while. */
  unloadIdle(): Promise<void>;
  /** Applies a name or expiry that another instance has changed. */
  learn(handle: WorkspaceHandle): Promise<void>;
  /** Makes another instance remove a workspace. Resolves after the removal, with whether the workspace existed. */
  removeElsewhere(id: string): Promise<boolean>;
  measured(): Pick<WorkspacesMeasured, 'count' | 'gaveUp'>;
}
