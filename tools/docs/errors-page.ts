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

/** A client error. The message is a function if it may name a resource. Called with an empty object, the function returns the general message. */
interface ClientCondition extends Condition {
  readonly message: string | ((failure: object) => string);
}

/**
 * Returns the error sections: errors of one side first, then errors of both sides. Each error appears once, with its
 * name in the contracts as its anchor.
 */
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
 * Returns the lookup tables: platform errors by code and status, and client errors by message, because their code is
 * always 0. Each code and message has an anchor, so that a program can build a link from a reply alone.
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

/** Returns the anchor of a message. The dashboard builds the same anchor to link here. */
function placeOfMessage(message: string): string {
  return (message.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-');
}

/** Returns a table row's link to the section that explains an error's cause and fix. */
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

/** Returns the statuses and codes in an error's heading. */
function statusesOf(kind: Kind): readonly string[] {
  const conditions = [flatTable, clientTable].flatMap((table) => (table as Record<string, Condition>)[kind] ?? []);
  return [...new Set(conditions.map(({ status, code }) => (code === 0 ? `${status}` : `${status}, code ${code}`)))];
}

/** Describes one side's reply to an error, with the message from the example in that side's contracts. */
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

/** Returns a badge: `Stated` with the interface statements, or `Assumed` with the open point behind the choice. */
export function badge(basis: string | undefined): string {
  if (basis === undefined) return '';
  if (!basis.startsWith('stated ')) return `<span class="basis assumed">Assumed</span> ${escaped(basis)}`;
  return `<span class="basis stated">Stated</span> ${escaped(basis.replace('stated ', '').replaceAll(' ', ', '))}`;
}
