import type Koa from 'koa';
import type { Middleware, ParameterizedContext } from 'koa';
import type { MountedApi } from '../assembly/apis.ts';
import type { WorkspaceRef } from '../cluster/remote-workspaces.ts';
import type { ServedCall } from '../contract/api.ts';
import type { RequestFailure } from '../contract/failure-tables.ts';
import type { OperationState } from '../contract/operation.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import type { WorkspaceHandle } from '../workspaces/workspace-handle.ts';

/**
 * The workspace that a call is for: one that this process has, or one that another instance may have. `nobody` if the key
 * in its URL belongs to no workspace, `every instance` if all answer alike.
 */
export type Addressee =
  | { readonly handle: WorkspaceHandle | undefined }
  | { readonly ref: WorkspaceRef }
  | 'nobody'
  | 'every instance';

/** What the steps of the pipeline learn of a call, each for those after it: `ctx.state`. */
export interface CallState extends OperationState {
  /** The API that the first segment of the path belongs to. */
  api: MountedApi | undefined;
  /** The key of a workspace that was in the address. */
  key?: string | undefined;
  /** The workspace that it is for. */
  to: Addressee;
  /** Whose turn it takes: the id of a workspace, or all callers without a registered credential. */
  tenant: string;
  workspace: Workspace;
  /** The same API if the path is below its prefix. */
  mount: MountedApi | undefined;
  /** Why the call is refused whatever it asks for. */
  refusal: RequestFailure | undefined;
  /** How it was answered; undefined for a file, which no log shows. */
  served: ServedCall | undefined;
}

/** A call in the pipeline. */
export type CallContext = ParameterizedContext<CallState>;
/** A step of the pipeline. */
export type Step = Middleware<CallState>;
/** The application that serves all workspaces. */
export type Application = Koa<CallState>;

/** How a call gets to its workspace: by the steps for callers, or by those for other instances. */
export type Arrival = Readonly<Record<'address' | 'caller' | 'workspace', Step>>;
