import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes in sharing books over PostgreSQL: fences, leases, what is unknown after a connection is lost. */
export const postgres: readonly Mutant[] = [
  {
    id: 'fence-not-asked',
    title: 'An instance that was stopped and has lost its books goes on writing them when it wakes up',
    file: 'sandbox/store/postgres/log.ts',
    find: 'where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)',
    replace: 'where place = $1 and $2::bigint > 0 and head = $3::bigint - 1 returning place)',
    tests: ['test/store/postgres.test.ts'],
    only: 'an owner whose lease ended says|an address where nobody answers',
    killedBy:
      'an owner whose lease ended says so before it ends, commits nothing any more, and loses the books to who asks',
  },
  {
    id: 'fence-not-asked-in-chaos',
    title: 'What the network brings of an owner of before is written between the commits of the one of now',
    file: 'sandbox/store/postgres/log.ts',
    find: 'where place = $1 and fence = $2 and head = $3::bigint - 1 returning place)',
    replace: 'where place = $1 and $2::bigint > 0 and head = $3::bigint - 1 returning place)',
    tests: ['test/instances/chaos.nightly.test.ts'],
    killedBy: 'rounds of kills, stops, cuts, crashes and late commits all that was acknowledged is there once',
  },
  {
    id: 'lease-not-looked-at',
    title: 'An instance that was stopped tells of books that another one has changed since',
    file: 'sandbox/store/postgres/log.ts',
    find: 'return this.#isDoubtful || !this.#parts.instance.holds;',
    replace: 'return this.#isDoubtful;',
    tests: ['test/store/postgres.test.ts'],
    only: 'an owner whose lease ended says|an address where nobody answers',
    killedBy:
      'an owner whose lease ended says so before it ends, commits nothing any more, and loses the books to who asks',
  },
  {
    id: 'renewal-not-waited-for',
    title: 'Books are taken from an instance that lives, since its renewal had not ended when they were asked for',
    file: 'sandbox/store/postgres/claims.ts',
    find: ' for share)`;',
    replace: ')`;',
    tests: ['test/store/postgres.test.ts'],
    only: 'a renewal that is being made|an address where nobody answers',
    killedBy: 'a renewal that is being made is waited for: books are not taken from an owner that lives',
  },
  {
    id: 'unknown-commit-repeated',
    title: 'A commit whose answer was lost is made twice',
    file: 'sandbox/store/postgres/log.ts',
    find: '        this.#confirm(now.head);\n',
    replace:
      '        this.#head += this.#pending.length;\n        for (const each of this.#pending) Object.assign(each, { number: each.number + this.#pending.length });\n',
    tests: ['test/store/postgres.test.ts'],
    only: 'cut again and again|an address where nobody answers',
    killedBy:
      'what was acknowledged is there once, and the rest is brought in, where connections are cut again and again',
  },
  {
    id: 'pending-forgotten',
    title: 'What was written while PostgreSQL could not be reached is acknowledged, and never brought in',
    file: 'sandbox/store/postgres/log.ts',
    find: '        return await this.#handAll();\n',
    replace: '        return this.#confirm(this.#head);\n',
    tests: ['test/store/postgres.test.ts'],
    only: 'goes on after PostgreSQL crashed|an address where nobody answers',
    killedBy: 'goes on after PostgreSQL crashed and came back',
  },
  {
    id: 'sent-is-taken',
    title: 'What was sent to PostgreSQL is acknowledged before it was taken, where it need not be synced',
    file: 'sandbox/store/postgres/log.ts',
    find: 'readonly diesWithProcess = true;',
    replace: 'readonly diesWithProcess = false;',
    tests: ['test/faults/written.test.ts'],
    only: 'what PostgreSQL has not taken|reads, refusals and 304s',
    killedBy: 'OP-74: what PostgreSQL has not taken is not answered, since it dies with the process',
  },
];
