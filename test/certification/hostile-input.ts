/** Settings for certifying hostile servers: short timeouts, all requirements, and no one-time passwords. */
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

/** A hostile server never sends a one-time password. */
export const parts = {
  readCode: () => Promise.reject(new Blocked('OTP-01', 'no code came')),
  startPlatform: journeyPlatform(),
};
