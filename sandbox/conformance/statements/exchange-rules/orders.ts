/** The order call: what a line has to hold, whatever its fields are called. */
import { fieldsOf, hasMasked, itemsOf, leavesOf } from '../json-fields.ts';
import type { ExchangeRule, Issue } from '../rule.ts';

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
