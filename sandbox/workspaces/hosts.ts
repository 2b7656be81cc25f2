import { type Hosts, hostedOperations } from '../assembly/apis.ts';
import type { Meta, SnapshotRecord, WorkspaceCollections } from '../assembly/collections.ts';
import { controlOfParties, makeAgents } from '../assembly/control.ts';
import type { Parties } from '../assembly/parties.ts';
import { makePages } from '../assembly/web.ts';
import type { Directory } from '../client/directory.ts';
import { ActivityFindings } from '../conformance/activity-findings.ts';
import type { Control } from '../control/control.ts';
import type { Waiting } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import type { SharedServices } from './services.ts';
import { type Damaged, mostSnapshots, type Snapshots } from './snapshots.ts';

/** The workspace that the control API operates on. */
interface ControlledWorkspace {
  readonly parties: Parties;
  readonly snapshots: Snapshots;
  reset(): Promise<void>;
  restore(id: string): Promise<SnapshotRecord | Damaged | undefined>;
}

/** The parts of a workspace that only its control API and its pages use. */
interface HostParts extends Pick<Control, 'feed' | 'certifications' | 'workspaces' | 'partners'> {
  readonly meta: Meta;
  readonly directory: Directory;
  readonly waiting: Waiting;
}

/** Creates the hosts of a workspace's operations: platform, client, control API and pages. */
export function makeHosts(
  workspace: ControlledWorkspace,
  store: Store<WorkspaceCollections>,
  { apis, version, docs, origin, publicOrigin }: SharedServices,
  { meta: { adminToken }, directory, waiting, ...parts }: HostParts,
): Hosts {
  const { parties, snapshots } = workspace;
  const { platform, client, activity, agentCalls } = parties;
  const control: Control = {
    ...controlOfParties(store, parties),
    ...parts,
    version,
    adminToken,
    customers: directory,
    waiting,
    findings: new ActivityFindings(activity, waiting, () => parties.workspace.answers()),
    reset: () => workspace.reset(),
    agents: makeAgents({ version, origin, calls: agentCalls, adminToken }),
    hosted: () => hostedOperations(apis),
    snapshots: {
      most: mostSnapshots,
      list: () => snapshots.list(),
      take: (name, trace) => snapshots.take(name, trace),
      remove: (id, trace) => snapshots.remove(id, trace),
      restore: (id) => workspace.restore(id),
    },
  };
  const pages = makePages(store, parties, waiting, { docs: docs !== undefined, publicOrigin });
  return { platform, client, control, ...pages };
}
