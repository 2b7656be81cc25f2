import {
  book,
  decide,
  type Entry,
  emptyAccount,
  evolve,
  label,
  points,
  type Redemption,
  type RedemptionCommand,
} from '../../sandbox/domain/ledger.ts';
import { customers, type OnTimeout, opening, type Side } from './ledger-law.ts';

/** A faulty control implementation for the property test. It follows the reference client's rules, but awaits between check and write. */
export function checkAwaitWrite(on_timeout: OnTimeout): Side {
  const accounts = new Map(customers.map((uid) => [uid, { ...emptyAccount, totalEarned: opening }]));
  const first = { kind: 'credit', points: opening, reference: 'opening' } as const;
  const entries = new Map<string, Entry[]>(customers.map((uid) => [uid, [first]]));
  const credits = new Map<string, string>();
  const redemptions = new Map<string, Redemption>();
  const post = async (uid: string, entry: Entry): Promise<void> => {
    const account = book(accounts.get(uid) ?? emptyAccount, entry);
    await Promise.resolve();
    if (account === undefined) throw new RangeError('beyond the balance');
    accounts.set(uid, account);
    entries.get(uid)?.push(entry);
  };
  const execute = async (code: string, command: RedemptionCommand): Promise<boolean> => {
    const before = redemptions.get(code);
    const account = command.type === 'save' ? (accounts.get(command.uid) ?? emptyAccount) : emptyAccount;
    const { events, failure } = decide(before, command, points(account).balance);
    for (const event of events) {
      if (event.type === 'deducted') await post(event.uid, { kind: 'deduct', points: event.points, reference: code });
      if (event.type === 'reversed') await post(event.uid, { kind: 'reverse', points: event.points, reference: code });
      redemptions.set(code, evolve(before, event));
    }
    return failure === undefined;
  };
  return {
    async carryOut(command) {
      if (command.do === 'report') return execute(command.code, { type: 'report', status: command.status, reason: '' });
      if (command.do === 'save') {
        const { uid, code, points } = command;
        return execute(code, { type: 'save', uid, points, fingerprint: `${uid} ${points}` });
      }
      if (command.do === 'credit') {
        const values = `${command.uid} ${command.points}`;
        if (credits.has(command.id)) return credits.get(command.id) === values;
        await post(command.uid, { kind: 'credit', points: command.points, reference: command.id });
        credits.set(command.id, values);
        return true;
      }
      if (on_timeout === 'reverse') for (const code of redemptions.keys()) await execute(code, { type: 'timeout' });
      return true;
    },
    async accounts() {
      return customers.map((uid) => ({
        uid,
        points: points(accounts.get(uid) ?? emptyAccount),
        items: (entries.get(uid) ?? []).map((entry) => {
          const state = redemptions.get(entry.reference)?.state;
          return { ...entry, label: label(entry, state === 'Refused' ? undefined : state), at: '' };
        }),
      }));
    },
  };
}
