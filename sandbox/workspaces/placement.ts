import type { Meta } from '../assembly/books.ts';
import type { Life } from '../assembly/life.ts';
import type { DormantWorkspace, Listed, ListQuery, WorkspaceRecord } from './workspace-record.ts';

/** A workspace that somebody is to look after. */
export type Waiting = WorkspaceRecord & { readonly isRemoved: boolean };

/**
 * Where workspaces are that several instances share, and whose credentials are (OP-207). One instance has a workspace in
 * memory at a time; what is told of that can be outdated, since it changes meanwhile: the store refuses who is not the
 * owner.
 */
export interface Placement {
  /** Where others hand calls on to this instance: `host:port`. */
  readonly address: string;
  /** How the demo workspace stands, whoever has it; undefined where there is none yet. */
  demo(): Promise<Meta | undefined>;
  /** Workspaces of which there are books, and of which nothing is known. */
  unenrolled(): Promise<readonly string[]>;
  /** The id of the workspace that a secret belongs to, by its digest; undefined where it is nobody's. */
  whose(digest: string): Promise<string | undefined>;
  /** What is known of a workspace; undefined where there is none of this id, or it is to go. */
  find(id: string): Promise<WorkspaceRecord | undefined>;
  /** Whether there was no workspace of this id a moment ago. */
  wasUnknown(id: string): boolean;
  /** Where the instance is that has a workspace in memory; undefined where none has that lives. */
  ownerOf(id: string): Promise<string | undefined>;
  /** Whoever was told of the owner found that it is not. */
  forget(id: string): void;
  /** Whether an instance with this address holds its lease. */
  isLive(address: string): Promise<boolean>;
  /** Makes a workspace known, in whose books everything is. */
  enrol(resting: DormantWorkspace): Promise<void>;
  /** Writes down what is known of a workspace from now on. */
  note(record: WorkspaceRecord): Promise<void>;
  /** Those that are asked for, the oldest first. */
  list(ask: ListQuery): Promise<readonly WorkspaceRecord[]>;
  count(): Promise<number>;
  /** How many there are for which a workspace answers. */
  countCreatedBy(id: string): Promise<number>;
  /**
   * Some of those that nobody who lives has in memory although something is to be done: work is due, they are to go, or
   * their owner died.
   */
  waiting(now: number): Promise<readonly Waiting[]>;
  /**
   * The same where their life is over, or what is known of them is older than their books, as where somebody had them who
   * shares nothing. It looks at all.
   */
  neglected(now: number): Promise<readonly Waiting[]>;
  /** Gives a workspace another life, of which whoever has it hears; undefined where there is none. */
  changeLife(id: string, change: (life: Life) => Life): Promise<Listed | undefined>;
  /** From now on nothing leads to a workspace any more; its books are to go. */
  remove(id: string): Promise<void>;
  /** Whether anything is known of a workspace, be it that it is to go: it is, until its books are gone. */
  isThere(id: string): Promise<boolean>;
  /** Calls `listener` for each workspace that is to go, or that has another life. */
  onAnnouncement(listener: (what: { readonly kind: 'removed' | 'changed'; readonly id: string }) => void): void;
}
