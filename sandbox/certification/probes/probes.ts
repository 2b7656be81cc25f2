import type { Probe } from '../probing.ts';
import { basicProbes } from './basic.ts';
import { callingProbes } from './calling.ts';
import { creditProbes } from './credit.ts';
import { deductionProbes } from './deduction.ts';
import { journeysProbes } from './journeys.ts';
import { otpProbes } from './otp.ts';
import { robustnessProbes } from './robustness.ts';
import { shapesProbes } from './shapes.ts';
import { statusProbes } from './status.ts';
import { tokensProbes } from './tokens.ts';
import { v2Probes } from './v2.ts';

/** The probe of each requirement, by its id. */
export const probes: Readonly<Record<string, Probe>> = {
  ...tokensProbes,
  ...basicProbes,
  ...shapesProbes,
  ...creditProbes,
  ...deductionProbes,
  ...statusProbes,
  ...otpProbes,
  ...v2Probes,
  ...robustnessProbes,
  ...journeysProbes,
  ...callingProbes,
};
