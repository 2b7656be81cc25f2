import { fieldsOf, hasMasked, itemsOf, leavesOf, textOf } from '../json-fields.ts';
import { type ExchangeRule, type Issue, unless } from '../rule.ts';
import { echoRules } from './echoes.ts';
import { listingRules } from './listing.ts';
import { redemptionRules } from './redemption.ts';
import { signInRules } from './sign-in.ts';
import { walletRules } from './wallet.ts';

export const orderRules: readonly ExchangeRule[] = [
  {
    id: 'line-names-an-item',
    basis: 'stated A13',
    party: 'caller',
    operations: ['createRedemptionOrder'],
    judge({ sent }) {
      const lines = itemsOf(fieldsOf(sent).line_items);
      if (lines === undefined || lines.length === 0 || hasMasked(lines)) return undefined;
      return lines.flatMap((line, index): Issue[] => {
        const named = [...leavesOf(line)].some(([, value]) => typeof value === 'string' && value !== '');
        const expected = 'the sku_code of an item, in any field';
        return named ? [] : [{ pointer: `/body/line_items/${index}`, expected, actual: undefined }];
      });
    },
  },
];

/** Day, month and year with strokes. Whether they are padded, and whether the year is whole, is not stated. */
const dayMonthYear = /^(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/(?:\d{4}|\d{2})$/;

export const customerRules: readonly ExchangeRule[] = [
  {
    id: 'date-of-birth',
    basis: 'stated R9',
    party: 'host',
    operations: ['getProfileAndPoints'],
    judge({ status, received }) {
      const actual = textOf(fieldsOf(fieldsOf(received).profile).dob);
      if (status !== 200 || actual === undefined) return undefined;
      return unless(dayMonthYear.test(actual), '/body/profile/dob', 'day/month/year', actual);
    },
  },
];

/** Every rule over a request with its reply. */
export const exchangeRules: readonly ExchangeRule[] = [
  ...listingRules,
  ...orderRules,
  ...customerRules,
  ...redemptionRules,
  ...walletRules,
  ...signInRules,
  ...echoRules,
];
