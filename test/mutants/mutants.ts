import type { Mutant } from './mutant.ts';
import { backup } from './parts/backup.ts';
import { client } from './parts/client.ts';
import { domain } from './parts/domain.ts';
import { loading } from './parts/loading.ts';
import { operator } from './parts/operator.ts';
import { overload } from './parts/overload.ts';
import { platform } from './parts/platform.ts';
import { postgres } from './parts/postgres.ts';
import { proxy } from './parts/proxy.ts';
import { replacing } from './parts/replacing.ts';
import { runtime } from './parts/runtime.ts';
import { server } from './parts/server.ts';
import { store } from './parts/store.ts';

/** All mutants, in the order of the code parts they change. */
export const mutants: readonly Mutant[] = [
  domain,
  store,
  operator,
  postgres,
  backup,
  replacing,
  loading,
  runtime,
  platform,
  client,
  proxy,
  server,
  overload,
].flatMap((part) => Object.entries(part).map(([id, mutant]) => ({ id, ...mutant })));
