/** Tests stores in PostgreSQL that several processes share. Each store has one owner at a time, and acknowledged commits survive. */
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresServers } from '../harness/postgres.ts';
import { relayTo } from '../harness/relay.ts';
import { order } from './adapters.ts';
import { join } from './postgres-stores.ts';
import { contentOf, pay } from './stores.ts';

const server = await postgresServers()();
/** Opens a store in a new schema. */
async function newStore() {
  const url = await server.schema();
  const one = await join(url);
  return { url, one, ...(await one.open()) };
}

const paid = (store: Parameters<typeof contentOf>[0]) => store.ids('orders');

describe('OP-195: a store in PostgreSQL', () => {
  it('has its content after a close, from the log and from documents', async () => {
    const url = await server.schema();
    const first = await (await join(url)).open();
    await pay(first.store, 'O1');
    await pay(first.store, 'O2');
    await first.store.replace({
      content: slices([['orders', 'O3', order('ann')]]),
      change: (tx) => tx.put('orders', 'O4', order('bob')),
    });
    await pay(first.store, 'O5');
    await first.store.close();
    const second = await (await join(url)).open();
    expect(contentOf(second.store)).toEqual({
      orders: [order('ann'), order('bob'), { customer: 'ann', points: 5, note: '' }],
      counters: [{ value: 1 }],
    });
    expect([...first.warnings, ...second.warnings]).toEqual([]);
  });

  it('gets a checkpoint once the log has more than 4 MiB, and accepts further changes', async () => {
    const { one: joined, store, warnings } = await newStore();
    const note = 'x'.repeat(100_000);
    for (let n = 0; n < 60; n += 1) await pay(store, `O${String(n).padStart(2, '0')}`, note);
    await expect
      .poll(async () => (await joined.database.rows('select checkpoint from stores'))[0]?.checkpoint)
      .not.toBe('0');
    await store.close();
    const [{ batches } = {}] = await joined.database.rows('select count(*)::int as batches from commit_log');
    expect(batches).toBeLessThan(60);
    const again = await joined.open();
    expect(paid(again.store)).toEqual(Array.from({ length: 60 }, (_, n) => `O${String(n).padStart(2, '0')}`));
    expect(warnings).toEqual([]);
  });

  it('is encrypted, and refuses another key before it changes anything', async () => {
    const { url, one: joined, store } = await newStore();
    await pay(store, 'O1', 'a note that nobody may read');
    await store.close();
    const [row] = await joined.database.rows('select body from commit_log');
    expect(String(row?.body)).not.toContain('nobody may read');
    const other = await join(url, { key: Buffer.alloc(32, 8) });
    await expect(other.open()).rejects.toMatchObject({ code: 'wrong_key' });
    expect(paid((await joined.open()).store)).toEqual(['O1']);
  });

  it('is damaged if a batch is moved, changed or missing', async () => {
    for (const harm of [
      'update commit_log set body = (select body from commit_log where number = 1) where number = 2',
      'update commit_log set body = set_byte(body, 40, get_byte(body, 40) # 1) where number = 2',
      'delete from commit_log where number = 1',
      'delete from commit_log where number = 2',
    ]) {
      const { one: joined, store } = await newStore();
      await pay(store, 'O1');
      await pay(store, 'O2');
      await store.close();
      await joined.database.rows(harm);
      await expect(joined.open(), harm).rejects.toMatchObject({ code: 'damaged' });
    }
  });

  it('refuses tables of an earlier version with instructions', async () => {
    const url = await server.schema();
    const { database } = await join(url);
    await database.rows("update migrations set name = '001-books.sql' where name = '001-stores.sql'");
    await expect(join(url)).rejects.toMatchObject({
      code: 'unreadable',
      message:
        'The database was written by an earlier version (001-books.sql) and was left unchanged: export it with that version, and import it into an empty database with this one',
    });
  });

  it('refuses tables of a later version', async () => {
    const url = await server.schema();
    const { database } = await join(url);
    await database.rows("insert into migrations values ('999-later.sql')");
    await expect(join(url)).rejects.toMatchObject({
      code: 'unreadable',
      message: 'The database was used by a later version (999-later.sql): use that version',
    });
  });

  it('gets its tables once, although many processes start concurrently', async () => {
    const url = await server.schema();
    await Promise.all(Array.from({ length: 5 }, () => join(url)));
    const { database } = await join(url);
    expect(await database.rows('select name from migrations order by name')).toEqual([
      { name: '001-stores.sql' },
      { name: '002-figures.sql' },
    ]);
  });

  it('the error for an unreachable address does not show its password', async () => {
    const refused = join('postgres://someone:secret@127.0.0.1:1/rewards');
    await expect(refused).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('127.0.0.1:1/rewards'),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });
});

describe('OP-199: one instance owns a store at a time', () => {
  it('a released store can be opened immediately, with a greater fence', async () => {
    const url = await server.schema();
    const [one, other] = [await join(url), await join(url)];
    const first = await one.open();
    await pay(first.store, 'O1');
    await first.store.close();
    const second = await other.open();
    await pay(second.store, 'O2');
    expect(paid(second.store)).toEqual(['O1', 'O2']);
    expect(await other.database.rows('select fence from commit_log order by number')).toEqual([
      { fence: '1' },
      { fence: '2' },
    ]);
  });

  it('the store of a running instance is refused, with the address of that instance', async () => {
    const url = await server.schema();
    const [one, other] = [await join(url), await join(url)];
    await one.open();
    const refused = { code: 'locked', message: expect.stringContaining(one.instance.id.replace(/-1$/, '')) };
    await expect(other.open()).rejects.toMatchObject(refused);
  });

  it('an owner whose lease is about to expire pauses, then commits nothing, and another instance can open the store', async () => {
    const url = await server.schema();
    let ahead = 0;
    const one = await join(url, { now: () => performance.now() + ahead });
    const { store } = await one.open();
    await pay(store, 'O1');
    expect(store.paused).toBe(false);
    // Simulates a paused process, whose clock advanced although it renewed no lease.
    ahead = 60_000;
    expect(store.paused).toBe(true);
    await one.database.rows("update instances set lease_until = clock_timestamp() - interval '1 second'");
    const other = await join(url);
    const second = await other.open();
    await expect(pay(store, 'O3')).rejects.toMatchObject({ code: 'gave_up' });
    expect(store.gaveUp).toMatchObject({ code: 'gave_up' });
    await pay(second.store, 'O2');
    expect(paid(second.store)).toEqual(['O1', 'O2']);
    expect(paid(store)).toEqual(['O1']);
  });

  it('an owner whose lease expired, and whose store nobody opened, continues under another name', async () => {
    const { one, store } = await newStore();
    await pay(store, 'O1');
    const before = one.instance.id;
    await one.database.rows("update instances set lease_until = clock_timestamp() - interval '1 second'");
    await expect.poll(() => one.instance.id, { timeout: 5000 }).not.toBe(before);
    await expect.poll(() => store.paused).toBe(false);
    await pay(store, 'O2');
    expect(paid(store)).toEqual(['O1', 'O2']);
  });

  it('an opening waits for a renewal in progress: a running owner does not lose its store', async () => {
    const url = await server.schema();
    // This instance does not renew its lease automatically.
    const one = await join(url, { timer: () => () => {} });
    const other = await join(url);
    await one.open();
    const { id } = one.instance;
    await other.database.rows(
      "update instances set lease_until = clock_timestamp() - interval '1 second' where id = $1",
      [id],
    );
    const renewing = new pg.Client({ connectionString: url });
    await renewing.connect();
    await renewing.query('begin');
    await renewing.query("update instances set lease_until = clock_timestamp() + interval '1 minute' where id = $1", [
      id,
    ]);
    const refused = expect(other.open()).rejects.toMatchObject({ code: 'locked' });
    const waiting = () => renewing.query('select 1 from pg_locks where not granted');
    await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
    await renewing.query('commit');
    await refused;
    await renewing.end();
  });
});

describe('OP-200: a lost connection and a crashed server', () => {
  it('while connections are cut again and again, each commit is stored once', async () => {
    const { url, one, store } = await newStore();
    const cutter = await join(url);
    const payments: Promise<void>[] = [];
    for (let n = 0; n < 200; n += 1) {
      payments.push(pay(store, `O${String(n).padStart(3, '0')}`));
      if (n % 20 === 10) {
        await cutter.database.rows(
          `select pg_terminate_backend(a.pid) from pg_stat_activity a
            where a.application_name = 'rewards-sandbox' and a.query like '%commit_log%' and a.pid <> pg_backend_pid()`,
        );
      }
      if (n % 7 === 0) await payments.at(-1);
    }
    await Promise.all(payments);
    await store.close();
    const again = await one.open();
    expect(paid(again.store)).toHaveLength(200);
    expect(again.store.get('counters', 'paid')).toEqual({ value: 200 });
  });

  it('the store continues after PostgreSQL crashes and restarts', async () => {
    const { one, store } = await newStore();
    await pay(store, 'O1');
    await server.kill();
    const waiting = pay(store, 'O2');
    await server.start();
    await waiting;
    await pay(store, 'O3');
    await store.close();
    const again = await one.open();
    expect(paid(again.store)).toEqual(['O1', 'O2', 'O3']);
    expect(again.store.get('counters', 'paid')).toEqual({ value: 3 });
  });

  it('after a replacement fails, the store knows that its content is unchanged', async () => {
    const { one, store } = await newStore();
    await pay(store, 'O1');
    await one.database.rows(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
    await one.database.rows('create trigger failing before insert on commit_log for each row execute function fail()');
    const refused = store.replace({ content: slices([['orders', 'O9', order('ann')]]), change: () => undefined });
    await expect(refused).rejects.toMatchObject({ code: 'refused' });
    await one.database.rows('drop trigger failing on commit_log');
    await pay(store, 'O2');
    expect(paid(store)).toEqual(['O1', 'O2']);
  });
});

describe('OP-200: a PostgreSQL that hangs', () => {
  it('a commit without a reply in time is refused, and is there afterwards if PostgreSQL received it', async () => {
    const { url, relay } = await openRelay();
    const one = await join(url.relayed, { deadlines: { commit: 500, outage: 2000 } });
    const { store } = await one.open();
    await pay(store, 'O1');
    relay.holdReplies();
    const refused = await Promise.allSettled([pay(store, 'O2'), pay(store, 'O3')]);
    expect(refused).toMatchObject(Array(2).fill({ status: 'rejected', reason: { code: 'gave_up' } }));
    expect(paid(store)).toEqual(['O1']);
    relay.release();
    const again = await one.open();
    expect(paid(again.store)).toEqual(['O1', 'O2', 'O3']);
    expect(again.store.get('counters', 'paid')).toEqual({ value: 3 });
  });

  it('a refused commit that arrives after another instance has opened the store changes nothing', async () => {
    const { url, relay } = await openRelay();
    const one = await join(url.relayed, { deadlines: { commit: 500, outage: 2000 } });
    const { store } = await one.open();
    await pay(store, 'O1');
    relay.hold();
    await expect(pay(store, 'O2')).rejects.toMatchObject({ code: 'gave_up' });
    const other = await join(url.direct);
    const { store: current } = await other.open();
    relay.release();
    // The former owner regains a lease only after it has reconnected. Its earlier commits have arrived by then.
    await expect.poll(() => one.instance.holds, { timeout: 20_000 }).toBe(true);
    await pay(current, 'O3');
    await current.close();
    const again = await (await join(url.direct)).open();
    expect(paid(again.store)).toEqual(['O1', 'O3']);
  });

  it('a commit whose reply is late is acknowledged once, over another connection', async () => {
    const { url, relay } = await openRelay();
    const one = await join(url.relayed, { deadlines: { commit: 500, outage: 60_000 } });
    const { store, warnings } = await one.open();
    await pay(store, 'O1');
    relay.holdReplies();
    const waiting = [pay(store, 'O2'), pay(store, 'O3')];
    // The store has abandoned the connection that sent the commits by then.
    await expect.poll(() => warnings.length, { timeout: 20_000 }).toBeGreaterThan(0);
    relay.release();
    await Promise.all(waiting);
    await pay(store, 'O4');
    expect(paid(store)).toEqual(['O1', 'O2', 'O3', 'O4']);
    await store.close();
    const again = await (await join(url.direct)).open();
    expect(paid(again.store)).toEqual(['O1', 'O2', 'O3', 'O4']);
    expect(again.store.get('counters', 'paid')).toEqual({ value: 4 });
  });
});

/** Creates a schema. Returns its direct URL, and one through a relay that can delay traffic. */
async function openRelay() {
  const direct = await server.schema();
  const there = new URL(direct);
  const relay = await relayTo(Number(there.port));
  onTestFinished(() => relay.close());
  there.port = String(relay.port);
  return { url: { direct, relayed: there.href }, relay };
}

async function* slices(rows: readonly (readonly [string, string, object])[]) {
  for (const [collection, id, record] of rows) yield { collection, rows: [{ id, record }] };
}
