import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { StoreError } from '../../store/store.ts';

const folder = new URL('./migrations/', import.meta.url);
/** An arbitrary number that no other program locks. */
const advisoryLock = 7_265_776_172;

/**
 * Migrates the tables to this version. Runs each file of the folder once, in order, in a separate transaction. Only one
 * process does this at a time. Rejects with `unreadable` if the database contains migrations that this version does not
 * know.
 */
async function migrate(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [advisoryLock]);
  try {
    await client.query('create table if not exists migrations (name text primary key)');
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort();
    const done = (await client.query<{ name: string }>('select name from migrations')).rows.map(({ name }) => name);
    const foreign = done.find((name) => !names.includes(name));
    if (foreign !== undefined) {
      // A later version has all migrations of this one, because none is ever renamed after a release.
      const isLater = names.every((name) => done.includes(name));
      const [how, remedy] = isLater
        ? [`used by a later version (${foreign})`, 'use that version']
        : [
            `written by an earlier version (${foreign}) and was left unchanged`,
            'export it with that version, and import it into an empty database with this one',
          ];
      throw new StoreError('unreadable', `The database was ${how}: ${remedy}`);
    }
    for (const name of names) if (!done.includes(name)) await run(client, name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [advisoryLock]);
  }
}

async function run(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(readFileSync(new URL(name, folder), 'utf8'));
    await client.query('insert into migrations values ($1)', [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Runs a function after a number of real milliseconds. Call the returned function to cancel it. */
export type Timer = (run: () => void, milliseconds: number) => () => void;

/** The options of a database connection. */
interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  readonly timer: Timer;
  /** The deadlines for commits. Tests pass shorter ones. */
  readonly deadlines?: Deadlines | undefined;
}

/** The deadlines for a commit, in milliseconds. */
export interface Deadlines {
  /** Maximum time until PostgreSQL responds. A slower connection counts as lost. */
  readonly commit: number;
  /** Maximum time to retry a commit, over any number of connections, before the store gives up. */
  readonly outage: number;
}

/** With these deadlines, a caller waits less than 15 seconds, including the work before and after the commit (OP-200). */
const usualDeadlines: Deadlines = { commit: 4000, outage: 10_000 };

export type Values = readonly (string | number | bigint | boolean | Buffer | null | readonly (string | bigint)[])[];
export type Row = Readonly<Record<string, unknown>>;

/** Maximum number of connections for everything except commits, which use a separate one. */
const mostConnections = 4;
/** The timeouts for opening a connection, and for a statement that is not a commit. */
const connectMilliseconds = 3000;
const statementMilliseconds = 10_000;
/** The default delay before a retry. */
const restMilliseconds = 100;

/**
 * A PostgreSQL database. Commits are pipelined over one connection, without waiting for responses. Everything else uses
 * a small connection pool.
 */
export class Database {
  readonly #options: DatabaseOptions;
  readonly deadlines: Deadlines;
  readonly #pool: pg.Pool;
  #commits: pg.Client | undefined;
  #connecting: Promise<pg.Client> | undefined;
  #isClosed = false;

  private constructor(options: DatabaseOptions) {
    this.#options = options;
    this.deadlines = options.deadlines ?? usualDeadlines;
    this.#pool = new pg.Pool({ ...clientOptions(options), max: mostConnections, query_timeout: statementMilliseconds });
    // The pool replaces a connection that breaks while it is idle.
    this.#pool.on('error', () => undefined);
  }

  /** Connects, and migrates the tables to this version. Rejects with `unreadable` if that fails. */
  static async open(options: DatabaseOptions): Promise<Database> {
    const database = new Database(options);
    try {
      const client = await database.#pool.connect();
      await migrate(client).finally(() => client.release());
      await database.connected();
      return database;
    } catch (error) {
      await database.close();
      throw cannotBeUsed(options.url, error);
    }
  }

  /**
   * Runs a statement and returns its rows. Rejects with the driver's error, or if there is no response within
   * `milliseconds`. PostgreSQL may still execute the statement after such a timeout.
   */
  async rows(text: string, values: Values = [], milliseconds = statementMilliseconds): Promise<readonly Row[]> {
    // The driver's types lack the timeout of a single query.
    const query: pg.QueryConfig & { query_timeout: number } = {
      text,
      values: values as unknown[],
      query_timeout: milliseconds,
    };
    return (await this.#pool.query(query)).rows;
  }

  /**
   * Sends a commit immediately, after all earlier ones. Resolves with the number of rows that it wrote. Rejects if
   * there is no connection or the statement fails. Also rejects if the connection is lost or the response is late, and
   * the outcome is then unknown.
   */
  async commit(text: string, values: Values): Promise<number> {
    const client = this.#commits;
    if (client === undefined) throw new Error('There is no connection to PostgreSQL');
    try {
      return (await client.query(text, values as unknown[])).rowCount ?? 0;
    } catch (error) {
      // A failed statement does not affect the connection.
      if (error instanceof pg.DatabaseError) throw error;
      this.#lost(client);
      destroy(client);
      throw error;
    }
  }

  /** Resolves with the result of a promise. Rejects if that takes longer than `milliseconds`. */
  async within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.timer(() => reject(new Error('PostgreSQL does not respond')), milliseconds);
    try {
      return await Promise.race([promise, late]);
    } finally {
      cancel();
    }
  }

  /** Resolves when commits can be sent. Rejects if no connection can be opened. */
  async connected(): Promise<void> {
    if (this.#commits !== undefined) return;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
  }

  /**
   * Listens on a channel over a separate connection. Rejects if the connection fails. Call the returned function to
   * stop.
   *
   * @param lost called when the connection ends, for whatever reason
   */
  async listen(channel: string, notify: (payload: string) => void, lost: () => void): Promise<() => Promise<void>> {
    const client = new pg.Client(clientOptions(this.#options));
    client.on('error', () => destroy(client));
    client.on('notification', ({ payload }) => notify(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      destroy(client);
      throw error;
    }
    client.on('end', lost);
    return () => client.end();
  }

  /** Waits for some milliseconds of real time. */
  rest(milliseconds = restMilliseconds): Promise<void> {
    return new Promise((resolve) => void this.#options.timer(resolve, milliseconds));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const commits = this.#commits;
    this.#commits = undefined;
    await commits?.end();
    await this.#pool.end();
  }

  async #connect(): Promise<pg.Client> {
    if (this.#isClosed) throw new Error('The database is closed');
    const client = new pg.Client({
      ...clientOptions(this.#options),
      pipeline: true,
      query_timeout: this.deadlines.commit,
    });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    await client.connect();
    this.#commits = client;
    return client;
  }

  #lost(client: pg.Client): void {
    if (this.#commits === client) this.#commits = undefined;
  }
}

/** Closes a connection without waiting for the other side. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy();
}

function clientOptions({ url }: DatabaseOptions): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    application_name: 'rewards-sandbox',
  };
}

/** Returns the error for a database that cannot be used, without the password that the URL may contain. */
function cannotBeUsed(url: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const why = message || code || 'no response';
  return new StoreError('unreadable', `Cannot use ${withoutPassword(url)}: ${why}`, { cause: error });
}

/** Returns the URL without its credentials, for messages. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'The database';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
