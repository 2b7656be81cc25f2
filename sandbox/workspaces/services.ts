import type { CryptoKey } from 'jose';
import type { CallLog } from '../activity-log/call-log.ts';
import type { MountedApi } from '../assembly/apis.ts';
import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import type { PartyOptions } from '../assembly/parties.ts';
import type { CertificationQueue } from '../certification/queue.ts';
import type { Watch } from '../contract/api.ts';
import type { Timer } from '../runtime/clock.ts';
import type { CallObserver } from '../runtime/observer.ts';
import type { Store } from '../store/store.ts';
import type { ProcessMemory } from './process-memory.ts';
import type { Storage, StoragePlace } from './storage.ts';

/** Services that all workspaces share. */
export interface SharedServices extends Omit<PartyOptions, 'meta' | 'faultTargets' | 'calls' | 'log'> {
  readonly version: string;
  /** Maximum number of workspaces, including the demo workspace (OP-63). */
  readonly most: number;
  /** Maximum number of workspaces that one workspace's token, and the tokens of workspaces it created, can create (OP-230). */
  readonly mostCreated: number;
  readonly apis: readonly MountedApi[];
  readonly storage: Storage;
  readonly memory: ProcessMemory;
  readonly timer: Timer;
  /** The folder of the built documentation; undefined if it is not served. */
  readonly docs: string | undefined;
  readonly watch: Watch;
  /** Observes each call to an application. */
  readonly observer?: CallObserver | undefined;
  /** Called when a workspace becomes idle. */
  readonly whenIdle?: (() => void) | undefined;
  /** The queue of running and waiting certifications. */
  readonly certifying: Pick<CertificationQueue, 'start' | 'full' | 'mostQueued'>;
  /** Returns the key that signs the certificates of this sandbox. */
  readonly signingKey: () => Promise<CryptoKey>;
}

/** The open store of a workspace, with its location and its initial state. */
export interface OpenedStore {
  readonly place: StoragePlace;
  readonly store: Store<WorkspaceCollections>;
  readonly meta: Meta;
  /** Saves the calls and the quota of the workspace. Without it, they are only in memory. */
  readonly calls?: CallLog;
}
