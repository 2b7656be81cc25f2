/**
 * Chaos tests of a PostgreSQL store during bursts of orders and payments. The events are killed or stopped processes, cut connections, a
 * crashed server, or two of these combined. After each event, another process compares the store with the acknowledged changes (OP-195,
 * OP-199, OP-200). The seed determines the events and their times.
 */
import pg from 'pg';
import { expect, it } from 'vitest';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { postgresServers } from '../harness/postgres.ts';
import { Chain, oneOf } from './kill-chain.ts';

const start = postgresServers();
const keyText = '11'.repeat(32);
const lanes = 4;

/** A failure during a burst, after a random number of replies. */
type Chaos = (chain: Chain, around: Around) => Promise<void>;

interface Around {
  readonly crash: () => Promise<void>;
  readonly cut: () => Promise<void>;
}

const killed: Chaos = async (chain) => chain.child.kill();

/** Pauses the process for longer than its lease. Another process takes over, and then the first one resumes. */
const stopped: Chaos = async (chain) => {
  chain.child.pause('SIGSTOP');
  const before = await chain.takeOver();
  before.pause('SIGCONT');
  const reply = await fetch(`${before.urls.sandbox}/customers`);
  if (reply.status !== 503) throw new Error(`a former owner answered ${reply.status}`);
  await before.kill();
};

const crashed: Chaos = (_, { crash }) => crash();

const cut: Chaos = async (chain, around) => {
  for (let times = 1 + chain.random.integer(5); times > 0; times -= 1) await around.cut();
};

const crashedAndKilled: Chaos = async (chain, around) => {
  await Promise.all([around.crash(), chain.child.kill()]);
};

const kinds = { killed, stopped, crashed, cut, crashedAndKilled };

async function run(seed: string, rounds: number): Promise<string[]> {
  const server = await start();
  const store = await server.schema();
  const client = new pg.Pool({ connectionString: store, max: 1 });
  // The failure cuts this connection too.
  client.on('error', () => undefined);
  const around: Around = {
    async crash() {
      await server.kill();
      await server.start();
    },
    cut: async () =>
      void (await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rewards-sandbox'`,
      )),
  };
  const random = new SeededRandom(seed);
  const chain = new Chain({ store, keyText }, random, true);
  await chain.start();
  const chaosNames: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const [name, chaos] = oneOf(random, Object.entries(kinds));
    chaosNames.push(name);
    let remainingReplies = 1 + random.integer(20);
    let pendingChaos: Promise<void> | undefined;
    const onAnswer = () => {
      remainingReplies -= 1;
      if (remainingReplies === 0) pendingChaos = chaos(chain, around);
    };
    const spending = Array.from({ length: lanes }, () => chain.spend(chain.demo, 10, onAnswer));
    await Promise.all(spending);
    await pendingChaos;
    const problems = await chain.restart();
    const { rows } = await client.query(
      `select place, number from (select place, number, fence, lag(fence) over (partition by place order by number) as earlier
        from commit_log) as log where fence < earlier`,
    );
    if (rows.length > 0) problems.push(`a former owner committed ${JSON.stringify(rows)}`);
    if (problems.length > 0) throw new Error(`seed ${seed}, round ${round}, ${name}: ${problems.join('; ')}`);
  }
  await client.end();
  return chaosNames;
}

it.each(['one', 'two'])(
  'OP-199: chaos %s: 20 rounds lose nothing acknowledged, repeat no effect, and no former owner commits',
  { timeout: 600_000 },
  async (seed) => {
    const chaosNames = await run(seed, 20);
    expect(new Set(chaosNames)).toEqual(new Set(Object.keys(kinds)));
  },
);
