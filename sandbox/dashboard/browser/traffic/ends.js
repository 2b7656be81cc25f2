// @ts-check
/** The two ends of a call. */

/** @type {Readonly<Record<string, string>>} */
const outside = {
  machine: 'this machine',
  network: 'another machine',
  forwarded: 'a proxy',
};

/**
 * Who made a call: a party of the sandbox, or where the call came from.
 * @param {Pick<import('./lines.js').Line, 'caller'> & { entry: import('../live.js').CallEntry }} line
 */
export function callerOf({ entry: { kind, party, caller: origin }, caller }) {
  const isParty = caller !== undefined || kind === 'call_out' || origin === 'sandbox';
  if (isParty) return party === 'platform' ? 'client' : 'platform';
  return outside[origin ?? ''] ?? 'unknown';
}
