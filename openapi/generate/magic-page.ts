import { magicCustomers, magicItems } from '../../sandbox/magic/table.ts';

interface Row {
  readonly value: string;
  readonly does: string;
}

/** docs/magic-values.md: the table of magic values for people. */
export function magicPage(): string {
  return `<!-- Written by \`npm run generate\` from sandbox/magic/values.json. Do not edit. -->

# Magic values

Values that make an order fail by their name alone. They work in every workspace without any preparation, and are in no
listing: neither the catalogue nor the list of customers shows them. What you change about one stays changed until a reset.
Seconds are those of the sandbox clock, unless it says real.

## Items

Put one into a \`line_items\` entry as its \`sku\`. Each is an e-gift voucher of 100 INR.

${magicTable(magicItems)}
## Customers

Order or sign in as one. Where a fault refuses a call about the customer, the reply to the platform names the value in
\`X-Fault\` and \`X-Problem\`.

${magicTable(magicCustomers)}`;
}

/** The rows as a Markdown table, each with an anchor: its value in small letters. */
export function magicTable(rows: readonly Row[]): string {
  const cells = [
    ['Value', 'What happens'],
    ...rows.map(({ value, does }) => [`<a id="${value.toLowerCase()}"></a>\`${value}\``, does]),
  ];
  const lines = cells.map((row) => `| ${row.join(' | ')} |\n`);
  lines.splice(1, 0, '| --- | --- |\n');
  return lines.join('');
}
