import type { Parties } from './parties.ts';
import type { Waiting } from './runtime/waiting.ts';
import type { WebSurroundings } from './web/web.ts';
import { project } from './workspace.ts';

/** The parts of the parties that their pages may reach. */
export function makePages({ desk, platform, workspace }: Parties, waiting: Waiting): WebSurroundings {
  return {
    programme: project.projectName,
    desk,
    waiting,
    idempotency: platform.store,
    frameAncestors: () => workspace.settings().frame_ancestors,
  };
}
