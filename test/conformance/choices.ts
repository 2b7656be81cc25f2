/** Recordings of a platform and a client whose choices at the interface's open points differ from the sandbox's. */
import { unstated } from './statements/deviations.ts';
import { golden } from './statements/golden.ts';
import type { Call } from './statements/recording.ts';
import { varieties } from './statements/variety.ts';

/** Choices of a real platform and client that differ from the sandbox's, each with the open points it contradicts. */
export const choices: Readonly<Record<string, string>> = {
  'the company token under another name': 'OP-02',
  'orders without uid in their body': 'OP-05',
  'an order whose reply has its id only': 'OP-06 OP-08',
  '401 to invalid tokens at every operation where the interface leaves the status open': 'OP-15 OP-101',
  'JWT and points of verify-otp under other names': 'OP-18',
  'a customer_id that is not the uid': 'OP-19',
  'points that are back a while after the client took the rejection': 'OP-21',
  'wallets in another order': 'OP-27',
  'the access token under another name': 'OP-28',
  'another form of the catalogue of version 2': 'OP-29',
  'a wallet that is read before Delivered': 'OP-121',
};

/** Returns the golden recording with these choices applied. */
export function recordingWith(titles: readonly string[]): readonly Call[] {
  let calls = golden();
  for (const title of titles) {
    const make = varieties.find((one) => one.title === title)?.make ?? unstated[title];
    calls = [...(make?.(calls) ?? [])];
  }
  return calls;
}
