/** Three processes that share a database. Each connects through its own relay, which tests can disturb. */
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { ready } from '../harness/command.ts';
import { freePort, type PostgresServer } from '../harness/postgres-server.ts';
import { type Relay, relayTo } from '../harness/relay.ts';

const env = { REWARDS_SANDBOX_KEY: Buffer.alloc(32, 9).toString('hex') };

/** A process of the group. */
export type Running = Awaited<ReturnType<typeof ready>>;

/** An instance that can be restarted with the same internal address. */
interface Member {
  readonly relay: Relay;
  readonly store: string;
  readonly sharePort: number;
  running: Running;
}

/** The parts of a reply that the tests read. */
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations, of which a field or two is read
  readonly body: any;
}

/** Sends a request. Returns the reply's status and body, or `undefined` if there was no reply. */
export async function ask(url: string, init: RequestInit = {}): Promise<Reply | undefined> {
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Polls until the condition holds. Throws after 30 seconds. */
export async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`${what}: not within 30 seconds`);
    await rest(100);
  }
}

/** A group of instances that share one database schema. */
export class Group {
  readonly #database: PostgresServer;
  readonly #store: string;
  readonly #members: Member[] = [];

  private constructor(database: PostgresServer, store: string) {
    this.#database = database;
    this.#store = store;
  }

  /** Starts three instances, and records store owners and commits in the database. */
  static async start(database: PostgresServer): Promise<Group> {
    const group = new Group(database, await database.schema());
    await group.#join();
    await group.query(audit);
    await Promise.all([group.#join(), group.#join()]);
    return group;
  }

  get size(): number {
    return this.#members.length;
  }

  /** Returns an instance's URLs. */
  urls(at: number): Running['urls'] {
    return this.#member(at).running.urls;
  }

  signal(at: number, signal: NodeJS.Signals): void {
    this.#member(at).running.child.kill(signal);
  }

  /** Waits until an instance has ended, then restarts it. */
  async replace(at: number): Promise<void> {
    const member = this.#member(at);
    await member.running.ended;
    member.running = await start(member);
  }

  /** Returns the relay between an instance and the database. */
  network(at: number): Relay {
    return this.#member(at).relay;
  }

  /** Cuts all connections to the database. Ignores errors, because a concurrent crash cuts connections too. */
  async cut(): Promise<void> {
    const all = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rewards-sandbox'`;
    await this.query(all).catch(() => undefined);
  }

  async crash(): Promise<void> {
    await this.#database.kill();
    await rest(500);
    await this.#database.start();
  }

  /** Returns the instance that owns a workspace, or `undefined` if none does. */
  async ownerOf(workspace: string): Promise<number | undefined> {
    const owner = `select internal from instances i join stores s on s.owner = i.id where s.place = 'workspaces/${workspace}'`;
    const [row] = (await this.query(owner)) as { internal: string }[];
    const at = this.#members.findIndex(({ sharePort }) => row?.internal.endsWith(`:${sharePort}`));
    return at < 0 ? undefined : at;
  }

  /** Returns all ownership violations: two owners under one fence, and commits under an invalid fence. */
  breaches(): Promise<unknown[]> {
    return this.query(`
      select 'two owners' as what, place, fence from owned group by place, fence having count(distinct owner) > 1
      union all select 'a commit under an old fence', place, fence from intruders
      union all select 'an older fence behind a newer one', place, fence from (
        select place, fence, max(fence) over (partition by place order by number) as newest from commit_log
      ) as each where fence < newest`);
  }

  /** Returns the rows of a statement. Only `cut` and `crash` can disturb its connection. */
  async query(text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: this.#store });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends all instances, regardless of their state. */
  end(): void {
    for (const { running, relay } of this.#members) {
      running.child.kill('SIGCONT');
      running.child.kill('SIGKILL');
      relay.close();
    }
  }

  async #join(): Promise<void> {
    const relay = await relayTo(Number(new URL(this.#store).port));
    const there = new URL(this.#store);
    there.port = String(relay.port);
    const member = { relay, store: there.href, sharePort: await freePort() };
    this.#members.push({ ...member, running: await start(member) });
  }

  #member(at: number): Member {
    const member = this.#members[at];
    if (member === undefined) throw new Error(`there is no instance ${at}`);
    return member;
  }
}

/** Starts a process, and retries while the database is unavailable, as a supervisor does. */
async function start(member: Pick<Member, 'store' | 'sharePort'>, tries = 50): Promise<Running> {
  try {
    return await ready(['--store', member.store, '--share', String(member.sharePort)], env);
  } catch (error) {
    if (tries === 0 || !(error as Error).message.includes('Cannot open the data in PostgreSQL')) throw error;
    await rest(200);
    return start(member, tries - 1);
  }
}

/** Records the owner of each store with its fence, and commits under any fence other than the valid one. */
const audit = `
  create table owned (place text, fence bigint, owner text);
  create function note_owner() returns trigger language plpgsql as $$
  begin
    insert into owned values (new.place, new.fence, new.owner);
    return null;
  end $$;
  create trigger owners after insert or update of fence, owner on stores
    for each row when (new.owner is not null) execute function note_owner();
  create table intruders (place text, fence bigint);
  create function note_intruder() returns trigger language plpgsql as $$
  begin
    insert into intruders select new.place, new.fence from stores s where s.place = new.place and s.fence <> new.fence;
    return null;
  end $$;
  create trigger intruders after insert on commit_log for each row execute function note_intruder()`;
