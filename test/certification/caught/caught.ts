/** The coverage table of the suite. It lists, for each server mistake, exactly the requirements that must fail. */
import type { MistakeName } from '../../harness/partner/mistakes.ts';
import { accessCaught } from './access.ts';
import { ledgerCaught } from './ledger.ts';
import { othersCaught } from './others.ts';

const written: Readonly<Record<MistakeName, string>> = { ...accessCaught, ...ledgerCaught, ...othersCaught };

/** The failed requirements for each mistake, in the order of the requirements list. */
export const expectedFailures = Object.fromEntries(
  Object.entries(written).map(([mistake, ids]) => [mistake, ids.split(/\s+/).filter((id) => id !== '')]),
) as unknown as Readonly<Record<MistakeName, readonly string[]>>;

/** Mistakes that correctly fail no requirement, with reasons. */
export const undetectedMistakes: Partial<Record<MistakeName, string>> = {
  'no-service-token-for-profile':
    'No balance can be read, so the run ends with an environment error that names the refusal.',
  'otp-unknown-revealed':
    'An operation may say that it does not know a customer (OP-44); no statement requires verify-otp to hide it.',
  'not-found-html': 'The interface does not specify the refusal of an unknown path.',
};

/** Requirements that no simulated mistake can fail, and the tests that cover them. */
export const unfailableRequirements: Readonly<Record<string, string>> = {
  'STA-23': 'It has no probe.',
  'OTP-18': 'It needs a third customer; guessing.test.ts has one.',
  'ROB-19': 'The server speaks plain http; robustness.test.ts has one with TLS.',
  'ROB-20': 'The server speaks plain http; robustness.test.ts has one with TLS.',
  'JRN-02': 'Every mistake that breaks it also fails DED-01 or STA-01, which block it.',
  'JRN-09': 'Every mistake that breaks it also fails DED-01 or STA-01, which block it.',
  'JRN-12': 'Every mistake that breaks it also fails V2-02, which blocks it.',
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `CAL-${String(at + 1).padStart(2, '0')}`,
      'It is about calls to the platform; calling.test.ts has callers.',
    ]),
  ),
};
