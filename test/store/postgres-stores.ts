/** Opens stores in PostgreSQL with the schema of these tests. */
import { expect, onTestFinished } from 'vitest';
import { Database, type Deadlines } from '../../sandbox/cluster/postgres/database.ts';
import { Instance } from '../../sandbox/cluster/postgres/instance.ts';
import { openPostgresStore, type PostgresOptions } from '../../sandbox/cluster/postgres/open.ts';
import { realTimer, type Timer } from '../../sandbox/runtime/clock.ts';
import { ByteBudget } from '../../sandbox/store/byte-budget.ts';
import { Sealer } from '../../sandbox/store/seal.ts';
import { type Collections, schema } from './schema.ts';

export const key = Buffer.alloc(32, 7);
/** Long enough for a busy machine. Tests of the deadlines set their own. */
const patient: Deadlines = { commit: 60_000, outage: 120_000 };
let instances = 0;

/** A process that shares a database with others. */
export interface Joined {
  readonly database: Database;
  readonly instance: Instance;
  readonly open: (place?: string) => Promise<{ store: Awaited<ReturnType<typeof openStore>>; warnings: string[] }>;
}

/** Joins the instances that share the database at this URL, and leaves them after the test. */
export async function join(
  url: string,
  options: { now?: () => number; key?: Uint8Array; timer?: Timer; deadlines?: Deadlines; maxBytes?: number } = {},
): Promise<Joined> {
  const { now = () => performance.now(), key: own = key, timer = realTimer, deadlines = patient, maxBytes } = options;
  const database = await Database.open({ url, timer: realTimer, deadlines });
  instances += 1;
  const name = `instance-${instances}`;
  let names = 0;
  const newId = () => {
    names += 1;
    return `${name}-${names}`;
  };
  const instance = await Instance.join(database, {
    newId,
    address: name,
    now,
    timer,
    machineTime: Date.now,
    warn: expect.fail,
  });
  onTestFinished(async () => {
    await instance.leave().catch(() => undefined);
    await database.close();
  });
  return {
    database,
    instance,
    async open(place = '') {
      const warnings: string[] = [];
      const warn = (message: string) => warnings.push(message);
      const store = await openStore(database, instance, {
        place,
        sealer: new Sealer(own),
        warn,
        budget: new ByteBudget(maxBytes),
      });
      onTestFinished(() => store.close().catch(() => undefined));
      return { store, warnings };
    },
  };
}

function openStore(
  database: Database,
  instance: Instance,
  options: Pick<PostgresOptions<Collections>, 'place' | 'sealer' | 'warn' | 'budget'>,
) {
  return openPostgresStore<Collections>({ database, instance, schema, isPatient: true, ...options });
}
