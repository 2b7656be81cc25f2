import type { TraceRule } from '../rule.ts';
import { balanceTraceRules } from './balances.ts';
import { creditTraceRules } from './credits.ts';
import { cursorRules } from './cursors.ts';
import { limitTraceRules } from './limits.ts';
import { orderTraceRules } from './orders.ts';
import { redemptionTraceRules } from './redemptions.ts';
import { signInTraceRules } from './sign-in.ts';
import { tokenRules } from './tokens.ts';
import { versionTraceRules } from './versions.ts';
import { voucherTraceRules } from './vouchers.ts';

/** Every rule over a whole recording. */
export const traceRules: readonly TraceRule[] = [
  ...tokenRules,
  ...cursorRules,
  ...signInTraceRules,
  ...orderTraceRules,
  ...redemptionTraceRules,
  ...balanceTraceRules,
  ...creditTraceRules,
  ...voucherTraceRules,
  ...versionTraceRules,
  ...limitTraceRules,
];
