import type { components } from '../../generated/sandbox/types.ts';

/** The workspace's settings, as the control API shows them. */
export type Settings = components['schemas']['Settings'];

/**
 * The register's defaults (OP-09, OP-22, OP-30, OP-31, OP-95). The client's address and token depend on where we
 * listen.
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
};

/** The same where other machines reach the sandbox: whatever runs on a visitor's own machine may frame no page (OP-95). */
export const settingsBeyondLoopback: typeof defaultSettings = { ...defaultSettings, frame_ancestors: [] };
