/** How hostile servers are certified: with short timeouts, all requirements, and no code that arrives. */
import { Blocked, type Input } from '../../sandbox/certification/verdict.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';

export const input: Omit<Input, 'client_url'> = {
  service_token: 'service-token',
  basic: 'partner:password',
  api: 'both',
  customers: ['ANN', 'BOB'],
  otp: { gateway: true },
  timeout_ms: 100,
};

/** A hostile server never sends a code. */
export const parts = {
  readCode: () => Promise.reject(new Blocked('OTP-01', 'no code came')),
  startPlatform: journeyPlatform(),
};
