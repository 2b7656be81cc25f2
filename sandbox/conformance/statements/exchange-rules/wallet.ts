/** The vouchers of one reply of the wallet. */
import { fieldsOf, itemsOf, type ParsedExchange, textOf } from '../parsed-exchange.ts';
import { type ExchangeRule, hostRule, type Issue } from '../rule.ts';

const operations = ['getWalletDetail'];
const dateForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

function vouchersOf({ status, received }: ParsedExchange): readonly Readonly<Record<string, unknown>>[] | undefined {
  const vouchers = status === 200 ? itemsOf(fieldsOf(received).data) : undefined;
  return vouchers?.map(fieldsOf);
}

/** A rule about each voucher of a reply, given the ones before it; not observed where it concerns none. */
function eachVoucher(
  id: string,
  basis: string,
  look: (
    voucher: Readonly<Record<string, unknown>>,
    place: string,
    before: Set<string>,
  ) => Issue | 'satisfied' | undefined,
): ExchangeRule {
  return hostRule(id, basis, operations, (exchange) => {
    const before = new Set<string>();
    const seen = (vouchersOf(exchange) ?? []).map((voucher, index) => look(voucher, `/body/data/${index}`, before));
    const judged = seen.filter((one) => one !== undefined);
    return judged.length === 0 ? undefined : judged.filter((one) => one !== 'satisfied');
  });
}

export const walletRules: readonly ExchangeRule[] = [
  eachVoucher('voucher-code-unique', 'stated R23', ({ voucherCode }, place, before) => {
    const code = textOf(voucherCode);
    if (code === undefined) return undefined;
    const repeated = before.has(code);
    before.add(code);
    return repeated
      ? { pointer: `${place}/voucherCode`, expected: 'a code not used by another voucher', actual: code }
      : 'satisfied';
  }),
  eachVoucher('validity-begins-before-it-ends', 'stated R22', ({ validityStartDate, validityEndDate }, place) => {
    const [start, end] = [textOf(validityStartDate), textOf(validityEndDate)];
    if (start === undefined || end === undefined || !dateForm.test(start) || !dateForm.test(end)) return undefined;
    return start <= end
      ? 'satisfied'
      : { pointer: `${place}/validityEndDate`, expected: `not before ${start}`, actual: end };
  }),
  eachVoucher('validity-is-a-date', 'stated R24', ({ validityStartDate, validityEndDate }, place) => {
    const dates = Object.entries({ validityStartDate, validityEndDate });
    const written = dates.filter(([, date]) => dateForm.test(textOf(date) ?? ''));
    if (written.length === 0) return undefined;
    const wrong = written.find(([, date]) => !isDate(String(date)));
    if (wrong === undefined) return 'satisfied';
    return { pointer: `${place}/${wrong[0]}`, expected: 'a valid date and time', actual: wrong[1] };
  }),
  hostRule('vouchers-oldest-first', 'OP-27', operations, (exchange) => {
    const starts = (vouchersOf(exchange) ?? []).map(({ validityStartDate }) => textOf(validityStartDate) ?? '');
    if (starts.length < 2 || !starts.every((start) => dateForm.test(start))) return undefined;
    const index = starts.findIndex((start, at) => at > 0 && start < (starts[at - 1] ?? ''));
    const expected = `not before ${starts[index - 1]}, since the oldest is first`;
    return index < 0 ? [] : [{ pointer: `/body/data/${index}/validityStartDate`, expected, actual: starts[index] }];
  }),
];

/** Whether a text of the stated form names a day and a time that exist. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text.replace(' ', 'T')}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.replace(' ', 'T'));
}
