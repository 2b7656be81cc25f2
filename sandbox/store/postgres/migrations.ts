import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { StoreError } from '../store.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Any number that nobody else locks. */
const advisoryLock = 7_265_776_172;

/**
 * Brings the tables to this version: each file of the folder once, in order, in a transaction of its own. One process at a
 * time does so. Rejects with `unreadable` where a later version has been there.
 */
export async function migrate(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [advisoryLock]);
  try {
    await client.query('create table if not exists migrations (name text primary key)');
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort();
    const done = (await client.query<{ name: string }>('select name from migrations')).rows.map(({ name }) => name);
    const foreign = done.find((name) => !names.includes(name));
    if (foreign !== undefined) {
      throw new StoreError('unreadable', `The database was used by a later version (${foreign}): use that version`);
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
