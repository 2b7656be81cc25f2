/** Tests the complete decision table of a redemption: the events and the failure for each state, balance and command. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Booked,
  type Decision,
  decide,
  evolve,
  type Redemption,
  type RedemptionCommand,
  type RedemptionEvent,
} from '../../sandbox/domain/ledger.ts';

const booked: Booked = { uid: 'ANN', points: 40, fingerprint: 'as first' };

const states = {
  none: undefined,
  Pending: { state: 'Pending', ...booked },
  Delivered: { state: 'Delivered', ...booked },
  Rejected: { state: 'Rejected', ...booked, reason: 'Out of stock' },
  Refused: { state: 'Refused' },
} as const satisfies Record<'none' | Redemption['state'], Redemption | undefined>;

const report = (status: 'Pending' | 'Delivered' | 'Rejected') =>
  ({ type: 'report', status, reason: status === 'Rejected' ? 'Vendor failed' : '' }) as const;

const commands = {
  'save, first values': { type: 'save', ...booked },
  'save, other values': { type: 'save', ...booked, points: 41, fingerprint: 'changed' },
  'report Pending': report('Pending'),
  'report Delivered': report('Delivered'),
  'report Rejected': report('Rejected'),
  'reverse, same points': { type: 'reverse', points: 40, reason: 'Vendor failed' },
  'reverse, other points': { type: 'reverse', points: 41, reason: 'Vendor failed' },
  timeout: { type: 'timeout' },
} as const satisfies Record<string, RedemptionCommand>;

/** Balances that cover either deduction, only the first one, or neither. */
const balances = { enough: 41, exact: 40, short: 39 };

type State = keyof typeof states;
type CommandName = keyof typeof commands;
type Balance = keyof typeof balances;

const nothing: Decision = { events: [] };
const refused = (kind: NonNullable<Decision['failure']>['kind']): Decision => ({ events: [], failure: { kind } });
const does = (event: RedemptionEvent): Decision => ({ events: [event] });
const reversed = (reason: string) => does({ type: 'reversed', points: 40, uid: 'ANN', reason });
const always = (decision: Decision): Record<Balance, Decision> => ({
  enough: decision,
  exact: decision,
  short: decision,
});

/** The decision for each state, command and balance. */
const table: Record<State, Record<CommandName, Record<Balance, Decision>>> = {
  none: {
    'save, first values': {
      enough: does({ type: 'deducted', ...booked }),
      exact: does({ type: 'deducted', ...booked }),
      short: refused('points_changed'),
    },
    'save, other values': {
      enough: does({ type: 'deducted', ...booked, points: 41, fingerprint: 'changed' }),
      exact: refused('points_changed'),
      short: refused('points_changed'),
    },
    'report Pending': always(refused('unknown_redeem_code')),
    'report Delivered': always(refused('unknown_redeem_code')),
    // The refusal is recorded (OP-22), and the answer is still that the code is unknown (OP-21).
    'report Rejected': always({ events: [{ type: 'refused' }], failure: { kind: 'unknown_redeem_code' } }),
    'reverse, same points': always({ events: [{ type: 'refused' }], failure: { kind: 'unknown_redeem_code' } }),
    'reverse, other points': always({ events: [{ type: 'refused' }], failure: { kind: 'unknown_redeem_code' } }),
    timeout: always(nothing),
  },
  Pending: {
    // A repeat ignores the balance because its points are already deducted (OP-23).
    'save, first values': always(nothing),
    'save, other values': always(refused('redemption_conflict')),
    'report Pending': always(nothing),
    'report Delivered': always(does({ type: 'delivered' })),
    'report Rejected': always(reversed('Vendor failed')),
    'reverse, same points': always(reversed('Vendor failed')),
    'reverse, other points': always(refused('redemption_conflict')),
    timeout: always(reversed('Pending beyond the threshold')),
  },
  Delivered: {
    'save, first values': always(nothing),
    'save, other values': always(refused('redemption_conflict')),
    'report Pending': always(refused('order_already_delivered')),
    'report Delivered': always(nothing),
    'report Rejected': always(refused('order_already_delivered')),
    'reverse, same points': always(refused('order_already_delivered')),
    'reverse, other points': always(refused('redemption_conflict')),
    timeout: always(nothing),
  },
  Rejected: {
    'save, first values': always(refused('order_already_rejected')),
    'save, other values': always(refused('order_already_rejected')),
    'report Pending': always(refused('order_already_rejected')),
    'report Delivered': always(refused('order_already_rejected')),
    'report Rejected': always(nothing),
    'reverse, same points': always(nothing),
    'reverse, other points': always(refused('redemption_conflict')),
    timeout: always(nothing),
  },
  Refused: {
    'save, first values': always(refused('order_already_rejected')),
    'save, other values': always(refused('order_already_rejected')),
    'report Pending': always(refused('unknown_redeem_code')),
    'report Delivered': always(refused('unknown_redeem_code')),
    'report Rejected': always(refused('unknown_redeem_code')),
    'reverse, same points': always(refused('unknown_redeem_code')),
    'reverse, other points': always(refused('unknown_redeem_code')),
    timeout: always(nothing),
  },
};

const rows = (Object.keys(states) as State[]).flatMap((state) =>
  (Object.keys(commands) as CommandName[]).flatMap((command) =>
    (Object.keys(balances) as Balance[]).map((balance) => ({ state, command, balance })),
  ),
);

describe('decide (OP-15, OP-21, OP-22, OP-23)', () => {
  test('the table has a row for each state, command and balance', () => {
    expect(rows).toHaveLength(5 * 8 * 3);
  });

  test.each(rows)('given $state and a balance that is $balance, when $command', ({ state, command, balance }) => {
    expect(decide(states[state], commands[command], balances[balance])).toEqual(table[state][command][balance]);
  });
});

const events = {
  deducted: { type: 'deducted', ...booked },
  delivered: { type: 'delivered' },
  reversed: { type: 'reversed', points: 40, uid: 'ANN', reason: 'Out of stock' },
  refused: { type: 'refused' },
} as const satisfies Record<RedemptionEvent['type'], RedemptionEvent>;

describe('S1, S3, S4, S6: evolve', () => {
  test.each([
    { given: 'none', event: 'deducted', next: 'Pending' },
    { given: 'none', event: 'refused', next: 'Refused' },
    { given: 'Pending', event: 'delivered', next: 'Delivered' },
    { given: 'Pending', event: 'reversed', next: 'Rejected' },
  ] as const)('$given becomes $next when $event', ({ given, event, next }) => {
    expect(evolve(states[given], events[event])).toEqual(states[next]);
  });

  test.each(
    (['none', 'Delivered', 'Rejected', 'Refused'] as const).flatMap((given) =>
      (['delivered', 'reversed'] as const).map((event) => ({ given, event })),
    ),
  )('$given cannot be $event', ({ given, event }) => {
    const state = states[given] === undefined ? 'none' : given;
    expect(() => evolve(states[given], events[event])).toThrow(`no pending redemption, but ${state}`);
  });
});

test('any commands: at most one deduction, then at most one final state, which no command changes', () => {
  const any = fc.record({
    command: fc.constantFrom<RedemptionCommand[]>(...Object.values(commands)),
    balance: fc.constantFrom(...Object.values(balances)),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (steps) => {
      let redemption: Redemption | undefined;
      const history: RedemptionEvent[] = [];
      for (const { command, balance } of steps) {
        for (const event of decide(redemption, command, balance).events) {
          redemption = evolve(redemption, event);
          history.push(event);
        }
      }
      expect(['', 'refused', 'deducted', 'deducted delivered', 'deducted reversed']).toContain(
        history.map(({ type }) => type).join(' '),
      );
      const [deduction, reversal] = history;
      if (deduction?.type === 'deducted' && reversal?.type === 'reversed')
        expect(reversal.points).toBe(deduction.points);
    }),
    { numRuns: 500 },
  );
});
