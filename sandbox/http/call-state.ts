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
 * The workspace that a call is for: one in this process, or one that another instance may own. `nobody` means that the key in the
 * URL belongs to no workspace. `every instance` means that all instances answer identically.
 */
export type Addressee =
  | { readonly handle: WorkspaceHandle | undefined }
  | { readonly ref: WorkspaceRef }
  | 'nobody'
  | 'every instance';

/** The state of a call in the pipeline (`ctx.state`). Each step adds information for later steps. */
export interface CallState extends OperationState {
  /** The API identified by the first segment of the path. */
  api: MountedApi | undefined;
  /** The workspace key in the address, if any. */
  key?: string | undefined;
  /** The workspace that the call is for. */
  to: Addressee;
  /** The tenant in the queue: the id of a workspace, or the one tenant of all callers without a registered credential. */
  tenant: string;
  workspace: Workspace;
  /** The same API as in `api`, if the path is below its prefix. */
  mount: MountedApi | undefined;
  /** The failure with which the call is refused, regardless of its content. */
  refusal: RequestFailure | undefined;
  /** The outcome of the call. `undefined` for a file, which is not logged. */
  served: ServedCall | undefined;
}

/** A call in the pipeline. */
export type CallContext = ParameterizedContext<CallState>;
/** A step of the pipeline. */
export type Step = Middleware<CallState>;
/** The application that serves all workspaces. */
export type Application = Koa<CallState>;

/** The steps that route a call to its workspace. There is one set for callers and one for other instances. */
export type Arrival = Readonly<Record<'address' | 'caller' | 'workspace', Step>>;
