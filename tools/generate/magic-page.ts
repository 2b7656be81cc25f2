import {
  amountName,
  type MagicRow,
  magicAmounts,
  magicCustomers,
  magicItems,
  magicUses,
} from '../../sandbox/magic/table.ts';

/** docs/magic-values.md: the table of magic values for people. */
export function magicPage(): string {
  return `<!-- Written by \`npm run generate\` from sandbox/magic/values.json. Do not edit. -->

# Magic values

Values that make an order or a payment fail by their name alone. They work in every workspace without any preparation, and are
in no listing: neither the catalogue nor the list of customers shows them. What you change about one stays changed until a reset.
Seconds are those of the sandbox clock, unless it says real.

What went wrong names the value: in the remark of a rejected line, in the message of a refusal that the client was made to give,
and in \`X-Problem\` and the activity log for every failed call that carries one. What is done by the client is done by the
reference client; with a server of your own in its place, it is up to yours.

## Items

${magicUses.item} \`MAGIC-EGV-...\` are e-gift vouchers, \`MAGIC-PHY-...\` products that need a
\`shipping_address\`, of 100 INR each.

${magicTable(magicItems)}
## Customers

${magicUses.customer} Where a fault refuses a call about the customer, the reply to the platform names the value in
\`X-Fault\` and \`X-Problem\`.

${magicTable(magicCustomers)}
## Amounts

${magicUses.amount} That is \`sendPaymentEvent\`, or \`POST /sandbox/v1/triggers/payment\`. A fault of one shows under
the name \`MAGIC-AMOUNT-\` and the value.

${magicTable(magicAmounts, amountName)}`;
}

/** The rows as a Markdown table, each with an anchor: its name in small letters. */
export function magicTable(rows: readonly MagicRow[], name = (value: string) => value): string {
  const cells = [
    ['Value', 'What happens'],
    ...rows.map(({ value, does }) => [`<a id="${name(value).toLowerCase()}"></a>\`${value}\``, does]),
  ];
  const lines = cells.map((row) => `| ${row.join(' | ')} |\n`);
  lines.splice(1, 0, '| --- | --- |\n');
  return lines.join('');
}
