/** The table that shows what the suite can see: a mistake of a server, and the requirements that must fail, and no others. */
import type { MistakeName } from '../../harness/partner/mistakes.ts';
import { accessCaught } from './access.ts';
import { ledgerCaught } from './ledger.ts';
import { othersCaught } from './others.ts';

const written: Readonly<Record<MistakeName, string>> = { ...accessCaught, ...ledgerCaught, ...othersCaught };

/** The requirements that a server with a mistake fails, in the order of the edition. */
export const caught = Object.fromEntries(
  Object.entries(written).map(([mistake, ids]) => [mistake, ids.split(/\s+/).filter((id) => id !== '')]),
) as unknown as Readonly<Record<MistakeName, readonly string[]>>;

/** Mistakes that fail no requirement, and why that is right. */
export const uncaught: Partial<Record<MistakeName, string>> = {
  'no-service-token-for-profile':
    'No balance can be read, so that no run begins: it ends as a matter of the environment, which says what was refused.',
  'otp-unknown-told':
    'An operation may say that it does not know a customer (OP-44); nothing says that verify-otp hides it.',
  'not-found-html': 'What a refusal of a path that there is none of looks like is nowhere stated.',
};

/** Requirements that no mistake of such a server can fail, and where they are seen failing. */
export const unfailed: Readonly<Record<string, string>> = {
  'STA-23': 'It has no probe.',
  'OTP-18': 'It needs a third customer; guessing.test.ts has one.',
  'ROB-19': 'The server speaks plain http; robustness.test.ts has one with TLS.',
  'ROB-20': 'The server speaks plain http; robustness.test.ts has one with TLS.',
  'JRN-02': 'What breaks it fails DED-01 or STA-01 too, and blocks it by that.',
  'JRN-09': 'What breaks it fails DED-01 or STA-01 too, and blocks it by that.',
  'JRN-12': 'What breaks it fails V2-02 too, and blocks it by that.',
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `CAL-${String(at + 1).padStart(2, '0')}`,
      'It is about calls to the platform; calling.test.ts has callers.',
    ]),
  ),
};

/** The mistakes that are caught by requirements whose ids begin so, each with those of them that it fails. */
export function caughtIn(...prefixes: readonly string[]): readonly (readonly [MistakeName, readonly string[]])[] {
  const rows = Object.entries(caught) as [MistakeName, readonly string[]][];
  return rows
    .map(([mistake, ids]) => [mistake, ids.filter((id) => prefixes.includes(id.split('-')[0] ?? ''))] as const)
    .filter(([, ids]) => ids.length > 0);
}
