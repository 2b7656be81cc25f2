import type { Defect } from './defect.ts';
import { backup } from './defects/backup.ts';
import { client } from './defects/client.ts';
import { domain } from './defects/domain.ts';
import { history } from './defects/history.ts';
import { operator } from './defects/operator.ts';
import { overload } from './defects/overload.ts';
import { platform } from './defects/platform.ts';
import { postgres } from './defects/postgres.ts';
import { proxy } from './defects/proxy.ts';
import { replacing } from './defects/replacing.ts';
import { residence } from './defects/residence.ts';
import { runtime } from './defects/runtime.ts';
import { server } from './defects/server.ts';
import { store } from './defects/store.ts';

/** All planted defects, by the part of the code that they are in. */
export const defects: readonly Defect[] = [
  ...domain,
  ...store,
  ...history,
  ...operator,
  ...postgres,
  ...backup,
  ...replacing,
  ...residence,
  ...runtime,
  ...platform,
  ...client,
  ...proxy,
  ...server,
  ...overload,
];
