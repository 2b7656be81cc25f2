import type { Probe } from '../probe-context.ts';
import { basicProbes } from './basic.ts';
import { callingProbes } from './calling.ts';
import { creditProbes } from './credit.ts';
import { deductionProbes } from './deduction.ts';
import { journeysProbes } from './journeys.ts';
import { otpProbes } from './otp.ts';
import { robustnessBodyProbes } from './robustness-bodies.ts';
import { robustnessHttpProbes, robustnessTlsProbes } from './robustness-http.ts';
import { shapesProbes } from './shapes.ts';
import { statusProbes } from './status.ts';
import { tokensProbes } from './tokens.ts';
import { v2DeductionProbes, v2ReversalProbes } from './v2-deduction.ts';
import { v2ReadingProbes } from './v2-lines.ts';

/** Probes by requirement id. */
export const probes: Readonly<Record<string, Probe>> = {
  ...tokensProbes,
  ...basicProbes,
  ...shapesProbes,
  ...creditProbes,
  ...deductionProbes,
  ...statusProbes,
  ...otpProbes,
  ...v2ReadingProbes,
  ...v2DeductionProbes,
  ...v2ReversalProbes,
  ...robustnessHttpProbes,
  ...robustnessBodyProbes,
  ...robustnessTlsProbes,
  ...journeysProbes,
  ...callingProbes,
};
