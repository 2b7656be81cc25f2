import {
  amountName,
  type MagicRow,
  magicAmounts,
  magicCustomers,
  magicItems,
  magicUses,
} from '../../sandbox/magic/table.ts';

/** Returns the text of docs/magic-values.md, the table of magic values for readers. */
export function magicPage(): string {
  return `<!-- Written by \`npm run generate\` from sandbox/magic/values.json. Do not edit. -->

# Magic values

A magic value alone determines the result of an order or a payment, in every workspace, without setup. Listings omit magic values. Changes to a magic value last
until a reset. Times are sandbox time unless the table says "real".

Each failure names the value: in the remark of a rejected line, in the message of a refusal, or in \`X-Problem\` and the activity log. Effects on the client apply to
the reference client; your own server decides for itself.

## Items

${magicUses.item} \`MAGIC-EGV-...\` are e-gift vouchers, \`MAGIC-PHY-...\` products that require a
\`shipping_address\`, of 100 INR each.

${magicTable(magicItems)}
## Customers

${magicUses.customer} If a fault refuses a call about the customer, the response to the platform names the value in
\`X-Fault\` and \`X-Problem\`.

${magicTable(magicCustomers)}
## Amounts

${magicUses.amount} That is \`sendPaymentEvent\`, or \`POST /sandbox/v1/triggers/payment\`. Its fault has the name \`MAGIC-AMOUNT-\` plus
the value.

${magicTable(magicAmounts, amountName)}`;
}

/** Returns the rows as a Markdown table. The anchor of each row is its name in lower case. */
export function magicTable(rows: readonly MagicRow[], name = (value: string) => value): string {
  const cells = [
    ['Value', 'What happens'],
    ...rows.map(({ value, does }) => [`<a id="${name(value).toLowerCase()}"></a>\`${value}\``, does]),
  ];
  const lines = cells.map((row) => `| ${row.join(' | ')} |\n`);
  lines.splice(1, 0, '| --- | --- |\n');
  return lines.join('');
}
