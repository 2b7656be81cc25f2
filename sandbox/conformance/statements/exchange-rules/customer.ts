/** The profile of a customer. */
import { fieldsOf, textOf } from '../json-fields.ts';
import { type ExchangeRule, unless } from '../rule.ts';

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
