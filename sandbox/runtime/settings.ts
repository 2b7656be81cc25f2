import type { components } from '../../generated/sandbox/types.ts';
import { otpLifetimeSeconds, triesPerOtp } from '../domain/otp.ts';

/** The settings of a workspace in the format of the control API. */
export type Settings = components['schemas']['Settings'];

/**
 * The default settings, from the assumptions in the register. The contract cites each one as `x-basis`. The client's
 * address and token depend on the listening address.
 */
export const defaultSettings: Omit<Settings, 'client_url' | 'client_token'> = {
  points_per_100_inr: 1,
  point_value_inr: '1',
  processing_fee_egv: 0,
  processing_fee_physical: 49,
  tds_percent: 0,
  pending_timeout: 86_400,
  on_timeout: 'wait',
  rate_limit: 1000,
  allowlist: [],
  frame_ancestors: ['http://localhost:*', 'http://127.0.0.1:*', 'https://localhost:*', 'https://127.0.0.1:*'],
  company_token_lifetime: 3600,
  session_lifetime: 1800,
  limit_above_maximum: 'refuse',
  cursor_lifetime: 86_400,
  otp_lifetime: otpLifetimeSeconds,
  otp_tries: triesPerOtp,
  retry_delays: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  wallet_order: 'oldest_first',
  earned_rounding: 'down',
  price_rounding: 'up',
  voucher_validity: 365,
};

/**
 * The default settings if other machines can reach the sandbox. Servers on a visitor's own machine may then frame no
 * page (OP-95).
 */
export const settingsBeyondLoopback: typeof defaultSettings = { ...defaultSettings, frame_ancestors: [] };
