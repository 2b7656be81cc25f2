/** Runs a journey, and explains what blocked it. */

import { createSandboxClient } from '../../generated/index.ts';
import { registry } from '../apis/registry.ts';
import { Journey, workspaceOf } from './journey.ts';
import type { ProbeContext } from './probe-context.ts';
import { Interrupted, Unmet } from './verdict.ts';

/**
 * Goes through a journey: in a workspace of its own, so that no work that another left behind falls due in it. Whatever
 * comes of it, the platform lets the server alone afterwards, its calls are counted, and its redemptions are recorded.
 */
export async function onJourney(
  probing: ProbeContext,
  version: 'v1' | 'v2',
  drive: (journey: Journey) => Promise<void>,
): Promise<void> {
  const { signal } = probing;
  const platform = await probing.platform();
  const admin = createSandboxClient({
    baseUrl: `${platform.origin}${registry.sandbox.prefix}`,
    token: platform.adminToken,
  });
  const journey = new Journey(probing, version, platform, await workspaceOf(admin, probing));
  try {
    await journey.begin();
    await drive(journey);
  } catch (error) {
    if (signal.aborted) throw new Interrupted('The run was stopped.');
    throw error instanceof Unmet ? ((await journey.unheard()) ?? error) : error;
  } finally {
    await journey.end();
  }
}
