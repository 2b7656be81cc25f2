/** Generates the page for testers: for each use case, the input, the expected result, its basis, and the folder or journey that runs it. */
import {
  amountName,
  type Expected,
  type MagicRow,
  magicAmounts,
  magicCustomers,
  magicItems,
} from '../../sandbox/magic/table.ts';
import { journeyFile, journeys, readDocument, type WorkflowDocument } from '../../sandbox/workflows/respect.ts';
import { operationsOf, readBundle } from './bundles.ts';
import { escaped } from './citations.ts';

/** Basis for the expected result of an order, keyed by error code or ledger entry label. */
const bases: Readonly<Record<string, string>> = {
  54: 'G12, OP-13',
  55: 'OP-13',
  56: 'S3, OP-13',
  57: 'OP-23',
  Pending: 'S9, S11',
  Redeemed: 'S4, S12',
  Reversed: 'S6, S8, S13',
};

/** Returns a table for each kind of magic value, and one for the journeys. */
export function testPlanInsert(): string {
  return [
    '## Items {#items}',
    'Order one piece as any customer with points. Products, `MAGIC-PHY-...`, need a `shipping_address`. Folder **Items**.',
    table('SKU', magicItems, ({ expected }) => orderResult(expected)),
    '## Customers {#customers}',
    'Order one `EGV-CHAI-100` as this customer. Folder **Customers**.',
    table('Customer', magicCustomers, ({ expected }) => orderResult(expected)),
    '## Amounts {#amounts}',
    'Send a payment event with this `paymentAmount`. Folder **Amounts**.',
    table('Amount', magicAmounts, creditResult, amountName),
    '## Journeys {#journeys}',
    'Whole flows with the demo data and without magic values. Each is a [workflow](/workflows).',
    journeyTable(),
  ].join('\n\n');
}

/** An expected result and its basis. */
interface Result {
  readonly text: string;
  readonly basis: string;
}

/** Returns a table with a row for each value. Each row links to the anchor of the value. */
function table<Row extends MagicRow>(
  kind: string,
  rows: readonly Row[],
  resultOf: (row: Row) => Result,
  anchorOf = (value: string) => value,
): string {
  const lines = rows.map((row) => {
    const { text, basis } = resultOf(row);
    const link = `[\`${row.value}\`](/test-data#${anchorOf(row.value).toLowerCase()})`;
    return `| ${link} | ${escaped(row.does)} | ${escaped(basis)} | ${text} |`;
  });
  return [`| ${kind} | Use case | Basis | Expected result |`, '| --- | --- | --- | --- |', ...lines].join('\n');
}

function orderResult({ status, code, message, ends, after = 0, otp }: Expected): Result {
  const refused = code === undefined ? '' : `, code ${code}: "${message}"`;
  const later = after === 0 ? 'immediately' : `after ${after} s`;
  const label = ends === undefined ? '; the ledger has no new entry' : `; ${later} the ledger entry is ${ends}`;
  const locked = otp === undefined ? '' : `One-time password: 422, "${otp}". Order: `;
  const basis = [code, ends].flatMap((key) => (key === undefined ? [] : (bases[key] ?? [])));
  return { text: `${locked}${status}${refused}${label}`, basis: basis.join(', ') };
}

function creditResult({ expected }: (typeof magicAmounts)[number]): Result {
  const { points, credited, tries, after, reason } = expected;
  const calls = `${tries} ${tries === 1 ? 'call' : 'calls'} of creditPoints`;
  if (!credited) return { text: `${calls}; parked: "${reason}"`, basis: 'G8, OP-130' };
  const later = after === 0 ? 'immediately' : `within ${after} s`;
  return { text: `${calls}; ${points} points, Earned, ${later}, credited once`, basis: 'G8, S10, OP-16, OP-24' };
}

function journeyTable(): string {
  const lines = journeys.map((name) => {
    const document = readDocument(journeyFile(name));
    const { title, summary } = document.info;
    return `| [${escaped(title)}](/workflows#${name}) | ${escaped(summary)} | ${escaped(statedBy(document))} | \`rewards-sandbox workflows ${name}\` |`;
  });
  return ['| Journey | Expected result | Basis | Run |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

/** Returns the basis of the operations that a journey calls, except operations specific to the sandbox. */
function statedBy({ sourceDescriptions, workflows }: WorkflowDocument): string {
  const apis = new Map(sourceDescriptions.map(({ name, url }) => [name, url.replace(/^.*\/|\.yaml$/g, '')]));
  const called = workflows.flatMap(({ steps }) => steps).map(({ operationId = '' }) => operationId.split('.').slice(1));
  const found = called.flatMap(([source = '', id]) => {
    const api = apis.get(source);
    if (api === undefined || api === 'sandbox') return [];
    const one = operationsOf(readBundle(api)).find(({ operation }) => operation.operationId === id);
    return (one?.operation['x-basis'] ?? '').replace('stated ', '').split(' ');
  });
  return [...new Set(found)].filter((id) => id !== '').join(', ');
}
