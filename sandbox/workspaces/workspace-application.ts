import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Feed } from '../activity-log/feed.ts';
import { hostedOperations, makeMounts } from '../assembly/apis.ts';
import { makeApplication } from '../assembly/application.ts';
import type { Certifications } from '../assembly/certifications.ts';
import type { Meta, SnapshotRecord, WorkspaceCollections } from '../assembly/collections.ts';
import { makeAgents, makeControl, makePages } from '../assembly/control.ts';
import type { Parties } from '../assembly/parties.ts';
import { ObservedCalls } from '../assembly/raw-call.ts';
import type { Directory } from '../client/directory.ts';
import { ActivityFindings } from '../conformance/activity-findings.ts';
import type { Mount } from '../contract/mount.ts';
import type { Control } from '../control/control.ts';
import { once } from '../runtime/once.ts';
import type { Waiting } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import type { SharedServices } from './services.ts';
import { type Damaged, mostSnapshots, type Snapshots } from './snapshots.ts';

/** What answers the calls of a workspace. */
export interface WorkspaceApplication {
  readonly mounts: readonly Mount[];
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** The workspace that the control API drives. */
interface ApplicationHost {
  readonly parties: Parties;
  readonly snapshots: Snapshots;
  reset(): Promise<void>;
  restore(id: string): Promise<SnapshotRecord | Damaged | undefined>;
}

/** The parts of a workspace that only its application uses. */
interface ApplicationParts {
  readonly meta: Meta;
  readonly directory: Directory;
  readonly waiting: Waiting;
  readonly feed: Feed;
  readonly certifications: Certifications;
  readonly workspaces: Control['workspaces'];
}

/** The application of a workspace, made when it is first called. */
export function workspaceApplication(
  workspace: ApplicationHost,
  store: Store<WorkspaceCollections>,
  services: SharedServices,
  parts: ApplicationParts,
): () => WorkspaceApplication {
  const { apis, watch, version, web, serve, docs, observer } = services;
  const { parties, snapshots } = workspace;
  const { platform, client, traces, spans, activity, faults } = parties;
  const { meta, waiting } = parts;
  const control = makeControl(store, parties, {
    version,
    customers: parts.directory,
    waiting,
    feed: parts.feed,
    faults,
    findings: new ActivityFindings(activity, waiting),
    reset: () => workspace.reset(),
    workspaces: parts.workspaces,
    certifications: parts.certifications,
    agents: makeAgents({
      ...{ version, origin: services.origin, calls: parties.agentCalls, adminToken: meta.adminToken },
    }),
    hosted: () => hostedOperations(apis),
    snapshots: {
      most: mostSnapshots,
      list: () => snapshots.list(),
      take: (name, trace) => snapshots.take(name, trace),
      remove: (id, trace) => snapshots.remove(id, trace),
      restore: (id) => workspace.restore(id),
    },
  });
  const pages = makePages(store, parties, waiting, {
    docs: docs !== undefined,
    publicOrigin: services.publicOrigin,
  });
  const observed = observer && new ObservedCalls(observer, meta.id);
  return once(() => {
    const served = serve({ platform, client, control, adminToken: meta.adminToken, web, pages });
    const mounts = makeMounts(apis, served, watch, faults.at('served'));
    return {
      mounts,
      serve: makeApplication(apis, mounts, {
        traces,
        spans,
        now: () => activity.now(),
        log: (call) => activity.call(call),
        watch,
        docs,
        observed,
      }).callback(),
    };
  });
}
