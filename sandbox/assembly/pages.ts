import { storedReplies } from '../platform/apis.ts';
import type { Waiting } from '../runtime/waiting.ts';
import type { Store } from '../store/store.ts';
import type { WorkspaceCollections } from './collections.ts';
import type { Parties } from './parties.ts';
import { project } from './settings.ts';
import type { WebOptions } from './web.ts';

/** The parts of the parties that their pages may reach. */
export function makePages(
  store: Store<WorkspaceCollections>,
  parties: Parties,
  waiting: Waiting,
  docs: boolean,
): WebOptions {
  const { portalOrders, client, ownPath, handles, workspace, toClient, clock, spans, activity, platform } = parties;
  return {
    programme: project.projectName,
    portalOrders,
    waiting,
    store,
    formReplies: storedReplies(platform),
    clock,
    spans,
    activity,
    partnerUrl: platform.partnerUrl,
    auth: { baseUrl: () => workspace.settings().client_url, outgoing: toClient, basic: client.basic },
    handles,
    ownPath,
    urls: () => workspace.shown().urls,
    frameAncestors: () => workspace.settings().frame_ancestors,
    docs,
  };
}
