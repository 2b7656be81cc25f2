import type { Mutants } from '../mutant.ts';

/** Mistakes in stores that are shared over PostgreSQL: fences, leases, and commits with unknown outcome after a lost connection. */
export const postgres: Mutants = {
  'fence-not-checked': {
    title: 'A stopped instance that lost its lease writes to the store again after it resumes',
    file: 'sandbox/cluster/postgres/log.ts',
    find: 'where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)',
    replace: 'where place = $1 and $2::bigint > 0 and head = $3::bigint - 1 returning place)',
    only: 'an owner whose lease is about|an unreachable address',
    killedBy:
      'an owner whose lease is about to expire pauses, then commits nothing, and another instance can open the store',
  },
  'fence-not-checked-in-chaos': {
    title: 'A delayed commit of a former owner is written between the commits of the present owner',
    file: 'sandbox/cluster/postgres/log.ts',
    find: 'where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)',
    replace: 'where place = $1 and $2::bigint > 0 and head = $3::bigint - 1 returning place)',
    killedBy: 'rounds of kills, stops, cuts, crashes and late commits everything acknowledged is there once',
  },
  'lease-not-looked-at': {
    title: 'A stopped instance serves a store after it resumes, although another instance has changed it since',
    file: 'sandbox/cluster/postgres/log.ts',
    find: 'return this.#isDoubtful || !this.#parts.instance.holds;',
    replace: 'return this.#isDoubtful;',
    only: 'an owner whose lease is about|an unreachable address',
    killedBy:
      'an owner whose lease is about to expire pauses, then commits nothing, and another instance can open the store',
  },
  'renewal-not-waited-for': {
    title: 'A running instance loses its store, since its renewal was still in progress when another asked for it',
    file: 'sandbox/cluster/postgres/claims.ts',
    find: 'for share)`;',
    replace: ')`;',
    only: 'an opening waits for a renewal|an unreachable address',
    killedBy: 'an opening waits for a renewal in progress: a running owner does not lose its store',
  },
  'shared-time-goes-back': {
    title: "Sandbox time goes back when PostgreSQL's clock is set back",
    file: 'sandbox/cluster/postgres/instance.ts',
    find: 'Math.max(now + this.#offset, this.#last + (now - this.#readAt) / 2)',
    replace: 'now + this.#offset',
    killedBy: "never goes back: it runs at half its speed until PostgreSQL's clock",
  },
  'machine-time-in-sandbox': {
    title: 'Sandbox time over PostgreSQL follows the clock of the machine that serves the workspace',
    file: 'sandbox/cluster/postgres/instance.ts',
    find: 'this.#offset = Math.min(Math.max(this.#offset, time - received), time - sent);',
    killedBy: 'is that of PostgreSQL when the machine is',
  },
  'unknown-commit-repeated': {
    title: 'A commit whose reply was lost is written twice',
    file: 'sandbox/cluster/postgres/log.ts',
    find: 'this.#sent.confirm(now.head);',
    replace:
      'this.#head += this.#sent.pending.length; for (const each of this.#sent.pending) Object.assign(each, { number: each.number + this.#sent.pending.length });',
    only: 'cut again and again|an unreachable address',
    killedBy: 'while connections are cut again and again, each commit is stored once',
  },
  'pending-forgotten': {
    title: 'Commits made while PostgreSQL is unreachable are acknowledged, and never written',
    file: 'sandbox/cluster/postgres/log.ts',
    find: 'return await database.within(left(), this.#handAll());',
    replace: 'return this.#sent.confirm(this.#head);',
    only: 'continues after PostgreSQL crashes|an unreachable address',
    killedBy: 'the store continues after PostgreSQL crashes and restarts',
  },
  'sent-is-acknowledged': {
    title: 'A commit is acknowledged before PostgreSQL confirms it',
    file: 'sandbox/cluster/postgres/log.ts',
    find: 'await this.#sent.confirmation(number);',
    only: 'a change that PostgreSQL has not stored|with a folder, a kill -9',
    killedBy: 'OP-74: a change that PostgreSQL has not stored gets no reply, because it is lost if the process dies',
  },
};
