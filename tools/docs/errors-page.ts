import { contractsOf } from '../../sandbox/apis/registry.ts';
import { clientTable, flatTable } from '../../sandbox/contract/failure-tables.ts';
import type { Advice } from './advice.ts';
import { type Example, readBundle } from './bundles.ts';
import { escaped } from './citations.ts';
import { advice } from './error-advice.ts';

type Kind = keyof typeof advice;
interface Condition {
  readonly status: number;
  readonly code: number;
}

/** A condition of the client; a 404 has a message for no thing in particular. */
interface ClientCondition extends Condition {
  readonly message: string | ((failure: object) => string);
}

/** Errors that only one side has, then those of both; each once, with an anchor that is its name in the contracts. */
export function errorsInsert(): string {
  const kinds = Object.keys(advice) as Kind[];
  return [
    ['Of the platform', kinds.filter((kind) => kind in flatTable && !(kind in clientTable))],
    ['Of the client', kinds.filter((kind) => kind in clientTable && !(kind in flatTable))],
    ['Of both', kinds.filter((kind) => kind in flatTable && kind in clientTable)],
  ]
    .map(([title, kinds]) => `## ${title}\n\n${(kinds as Kind[]).map(section).join('\n\n')}`)
    .join('\n\n');
}

/**
 * The errors by code and status, and those of the client, whose code is always 0, by message: for those who look one
 * up. Each code and each message is a place that can be linked to with nothing but a reply at hand.
 */
export function errorIndexInsert(): string {
  const flat = Object.entries(flatTable as Record<string, Condition>).sort(
    ([, one], [, other]) => one.code - other.code,
  );
  const codes = flat.map(([kind, { status, code }], index) => {
    const first = flat[index - 1]?.[1].code !== code;
    return `| ${first ? place(`code-${code}`) : ''}${code} | ${status} | ${entry(kind as Kind)} |`;
  });
  const messages = Object.entries(clientTable as Record<string, ClientCondition>).map(
    ([kind, { status, message: text }]) => {
      const message = typeof text === 'string' ? text : text({});
      return `| ${place(placeOfMessage(message))}${message} | ${status} | ${entry(kind as Kind)} |`;
    },
  );
  return [
    '| Code | Status | Error |',
    '| --- | --- | --- |',
    ...codes,
    '',
    '| Message of the client | Status | Error |',
    '| --- | --- | --- |',
    ...messages,
  ].join('\n');
}

function place(id: string): string {
  return `<a id="${id}"></a>`;
}

/** What a message is called in an address: the same in the dashboard, which links here. */
function placeOfMessage(message: string): string {
  return (message.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-');
}

/** The rest of a row: the error, which leads to its section with cause and what to do. */
function entry(kind: Kind): string {
  return `[${advice[kind].title}](#${kind})`;
}

function section(kind: Kind): string {
  const { title, cause, fix, retry }: Advice = advice[kind];
  const rows = [
    ...seen(
      kind,
      'platform',
      flatTable,
      contractsOf(({ host }) => host !== 'client'),
    ),
    ...seen(
      kind,
      'client',
      clientTable,
      contractsOf(({ host }) => host === 'client'),
    ),
  ];
  return [
    `### ${title}: ${statusesOf(kind).join('; ')} {#${kind}}`,
    ...rows,
    `**Cause:** ${cause}`,
    `**What to do:** ${fix}`,
    `**Safe to retry?** ${retry}`,
  ].join('\n\n');
}

/** The statuses and codes of an error, as its title names them. */
function statusesOf(kind: Kind): readonly string[] {
  const conditions = [flatTable, clientTable].flatMap((table) => (table as Record<string, Condition>)[kind] ?? []);
  return [...new Set(conditions.map(({ status, code }) => (code === 0 ? `${status}` : `${status}, code ${code}`)))];
}

/** How an error looks on the wire on one side: its example in the contracts. */
function seen(kind: Kind, side: string, table: object, apis: readonly string[]): string[] {
  const condition = (table as Record<string, Condition>)[kind];
  if (condition === undefined) return [];
  const example = apis.map((api) => readBundle(api).components?.examples?.[kind]).find((found) => found !== undefined);
  const message = example === undefined ? '' : `, \`${messageOf(example)}\``;
  const basis = example?.['x-basis'];
  const code = condition.code === 0 ? '' : `, code ${condition.code}`;
  return [`**Answer of the ${side}:** ${condition.status}${code}${message} ${badge(basis)}`];
}

function messageOf(example: Example): string {
  const value = example.value as { message?: string; data?: { message: string } };
  return value.data?.message ?? value.message ?? '';
}

/** Whether the interface states it, or which open point says why this sandbox chose it. */
export function badge(basis: string | undefined): string {
  if (basis === undefined) return '';
  if (!basis.startsWith('stated ')) return `<span class="basis assumed">Assumed</span> ${escaped(basis)}`;
  return `<span class="basis stated">Stated</span> ${escaped(basis.replace('stated ', '').replaceAll(' ', ', '))}`;
}
