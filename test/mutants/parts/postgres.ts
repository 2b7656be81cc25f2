import type { Mutants } from '../mutant.ts';

/** Mistakes in sharing books over PostgreSQL: fences, leases, what is unknown after a connection is lost. */
export const postgres: Mutants = {
  'fence-not-asked': {
    title: 'An instance that was stopped and has lost its books goes on writing them when it wakes up',
    target: 'sandbox/store/postgres/log-statements.ts:insertBatch',
    find: 'where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)',
    replace: 'where place = $1 and $2::bigint > 0 and head = $3::bigint - 1 returning place)',
    only: 'an owner whose lease ended says|an address where nobody answers',
    killedBy: 'an owner whose lease ended says so before it ends, commits nothing any more, and loses the books to',
  },
  'fence-not-asked-in-chaos': {
    title: 'What the network brings of an owner of before is written between the commits of the one of now',
    target: 'sandbox/store/postgres/log-statements.ts:insertBatch',
    find: 'where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)',
    replace: 'where place = $1 and $2::bigint > 0 and head = $3::bigint - 1 returning place)',
    killedBy: 'rounds of kills, stops, cuts, crashes and late commits all that was acknowledged is there once',
    onDisk: true,
  },
  'lease-not-looked-at': {
    title: 'An instance that was stopped tells of books that another one has changed since',
    target: 'sandbox/store/postgres/log.ts:PostgresLog.paused',
    find: 'return this.#isDoubtful || !this.#parts.instance.holds;',
    replace: 'return this.#isDoubtful;',
    only: 'an owner whose lease ended says|an address where nobody answers',
    killedBy: 'an owner whose lease ended says so before it ends, commits nothing any more, and loses the books to',
  },
  'renewal-not-waited-for': {
    title: 'Books are taken from an instance that lives, since its renewal had not ended when they were asked for',
    target: 'sandbox/store/postgres/claims.ts:ownerOf',
    find: 'for share)`;',
    replace: ')`;',
    only: 'a renewal that is being made|an address where nobody answers',
    killedBy: 'a renewal that is being made is waited for: books are not taken from an owner that lives',
  },
  'shared-time-goes-back': {
    title: "Sandbox time goes back where PostgreSQL's clock is set back",
    target: 'sandbox/store/postgres/shared-clock.ts:SharedClock.time',
    find: 'Math.max(now + this.#offset, this.#last + (now - this.#readAt) / 2)',
    replace: 'now + this.#offset',
    killedBy: "never goes back: it runs at half its speed until PostgreSQL's clock",
  },
  'machine-time-in-sandbox': {
    title: 'Sandbox time over PostgreSQL follows the clock of the machine that has the workspace',
    target: 'sandbox/store/postgres/shared-clock.ts:SharedClock.measure',
    find: 'this.#offset = Math.min(Math.max(this.#offset, time - received), time - sent);',
    killedBy: "is PostgreSQL's where the machine is",
  },
  'unknown-commit-repeated': {
    title: 'A commit whose answer was lost is made twice',
    target: 'sandbox/store/postgres/log.ts:PostgresLog.#recovered',
    find: 'this.#sent.confirm(now.head);',
    replace:
      'this.#head += this.#sent.pending.length; for (const each of this.#sent.pending) Object.assign(each, { number: each.number + this.#sent.pending.length });',
    only: 'cut again and again|an address where nobody answers',
    killedBy: 'what was acknowledged is there once, and the rest is brought in, where connections are cut again and',
  },
  'pending-forgotten': {
    title: 'What was written while PostgreSQL could not be reached is acknowledged, and never brought in',
    target: 'sandbox/store/postgres/log.ts:PostgresLog.#recovered',
    find: 'return await database.within(left(), this.#handAll());',
    replace: 'return this.#sent.confirm(this.#head);',
    only: 'goes on after PostgreSQL crashed|an address where nobody answers',
    killedBy: 'goes on after PostgreSQL crashed and came back',
  },
  'sent-is-taken': {
    title: 'What was sent to PostgreSQL is acknowledged before it was taken',
    target: 'sandbox/store/postgres/log.ts:PostgresLog.commit',
    find: 'await this.#sent.confirmation(number);',
    only: 'a change that PostgreSQL has not stored|with a folder, a kill -9',
    killedBy: 'OP-74: a change that PostgreSQL has not stored gets no reply, because it is lost if the process dies',
  },
};
