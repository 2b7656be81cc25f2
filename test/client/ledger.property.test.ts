/**
 * The promise of the ledger, for any history and any race: balance = credits - deductions + reversals, never negative;
 * each redemption is deducted at most once and reversed at most once (interface, States and transitions; OP-15 to OP-22).
 */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { booksSpec } from '../../sandbox/books.ts';
import type { Client } from '../../sandbox/client/client.ts';
import { Directory } from '../../sandbox/client/directory.ts';
import { clientHandlers } from '../../sandbox/client/handlers.ts';
import { PlatformGateway } from '../../sandbox/client/platform-gateway.ts';
import { pendingTimeout } from '../../sandbox/client/work/pendingTimeout.ts';
import { book, type Entry, emptyAccount, points } from '../../sandbox/domain/ledger.ts';
import { decide, evolve, type Redemption, type RedemptionCommand } from '../../sandbox/domain/redemption.ts';
import { Activity } from '../../sandbox/runtime/activity.ts';
import { Clock, freshClock } from '../../sandbox/runtime/clock.ts';
import { DueRunner, finish } from '../../sandbox/runtime/due.ts';
import { Outgoing } from '../../sandbox/runtime/outgoing.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { defaultSettings, type Settings } from '../../sandbox/runtime/settings.ts';
import { Tokens } from '../../sandbox/runtime/tokens.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { project } from '../../sandbox/workspace.ts';
import { ok, testSandbox } from '../sandbox.ts';
import { type Account, type Command, customers, history, histories, opening, type Policy, type Side } from './ledger-law.ts';
