import type { RewardsHandlers, V2Handlers } from '../access.ts';
import { cataloguePage } from '../catalogue.ts';

/** Lists the catalogue page by page (A4 to A9, OP-10 to OP-12). */
export const listRewards: RewardsHandlers['listRewards'] = (platform, { query }) => cataloguePage(platform, query);

/** Lists the catalogue in the same way as listRewards (E4, OP-29). */
export const listCatalog: V2Handlers['listCatalog'] = (platform, { query }) => cataloguePage(platform, query);
