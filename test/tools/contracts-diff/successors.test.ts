/** Tests removed contracts whose operations moved to other contracts (OP-58). */
import { expect, it } from 'vitest';
import type { Node } from '../../../sandbox/contract/document.ts';
import { changelogEntry } from '../../../tools/contracts-diff/changelog.ts';
import { examine, textReport } from '../../../tools/contracts-diff/report.ts';
import { contract, hosted, type Operation, object, query, request, text } from './contracts.ts';

const list = query();
const take = hosted(request(object({ a: text })));

function report(old: Readonly<Record<string, Node>>, now: Readonly<Record<string, Node>>) {
  const bundles = (byName: Readonly<Record<string, Node>>) => new Map(Object.entries(byName));
  return examine({ name: 'v1.0.0', bundles: bundles(old) }, bundles(now), (name) => () => ({ file: name, line: 1 }));
}

/** Builds a contract in which each operation has its own server address, like a contract with two hosts. */
function perOperation(operations: Readonly<Record<string, Operation>>): Node {
  const own = ([id, operation]: [string, Operation]) => [id, { ...operation, servers: [{ url: `http://${id}` }] }];
  return contract(Object.fromEntries(Object.entries(operations).map(own)));
}

const at = (id: string) => ({ servers: [{ url: `http://${id}` }] });

it('a split is reported once, with its replacements; unchanged operations are not reported', () => {
  const split = report(
    { both: perOperation({ list, take }), other: contract({ show: list }) },
    { ours: contract({ list }, at('list')), theirs: contract({ take }, at('take')), other: contract({ show: list }) },
  );
  expect(textReport(split)).toBe(`Compared with v1.0.0.
ours (from both) 1.0.0: no change
theirs (from both) 1.0.0: no change
other 1.0.0: no change
both 1.0.0: breaking
  breaking       The contract was split into \`ours\` and \`theirs\`.
                 openapi/both.yaml:1
                 What you must do: Take those of them that you use in its place, and generate your client from there.
`);
  expect(changelogEntry(split)?.split('\n').slice(4)).toEqual([
    '- **both** 1.0.0',
    '  - **Breaking**: The contract was split into `ours` and `theirs`. What you must do: Take those of them that you use in its place, and generate your client from there.',
    '',
  ]);
  expect(split.matches).toBe(true);
});

it('a change of a moved operation is reported in its new contract, whose version must match', () => {
  const changed = hosted(request(object({ a: text, b: text }, ['b'])));
  const now = { ours: contract({ list }), theirs: contract({ take: changed }) };
  const { contracts, matches } = report({ both: contract({ list, take }) }, now);
  expect(matches).toBe(false);
  expect(contracts.map(({ contract: name, from, into, rating }) => [name, from, into, rating])).toEqual([
    ['ours', 'both', undefined, undefined],
    ['theirs', 'both', undefined, 'additive'],
    ['both', undefined, ['ours', 'theirs'], 'breaking'],
  ]);
  expect(contracts[1]?.version).toEqual({ matches: false, wanted: '1.1.0', reason: 'the changes are additive' });
});

it('an operation that no new contract has was removed', () => {
  const { contracts } = report({ both: contract({ list, take, show: list }) }, { ours: contract({ list, take }) });
  expect(contracts.at(-1)?.changes.map(({ sentence, must }) => [sentence, must])).toEqual([
    ['The contract was renamed to `ours`.', 'Take it in its place, and generate your client from there.'],
    ['Operation `POST /show` was removed.', 'Do without it.'],
  ]);
  expect(contracts[0]?.changes).toEqual([]);
});

it('operations at one path are distinguished', () => {
  const { paths, ...rest } = contract({ list });
  const [item] = Object.values(paths as Record<string, Node>);
  const get = { operationId: 'read', 'x-hosted-by': 'platform', responses: {} };
  const both = { ...rest, paths: { '/list': { ...item, get } } };
  const { contracts } = report(
    { both },
    { ours: contract({ list }), theirs: { ...rest, paths: { '/list': { get } } } },
  );
  expect(contracts.map(({ changes }) => changes.length)).toEqual([0, 0, 1]);
});

it('a new contract continues a removed one only if it has operations of it', () => {
  const { contracts } = report({ old: contract({ list }) }, { young: contract({ take }) });
  expect(contracts.map(({ contract: name, from, into }) => [name, from, into])).toEqual([
    ['young', undefined, undefined],
    ['old', undefined, undefined],
  ]);
  expect(contracts.map(({ changes }) => changes.map(({ sentence }) => sentence))).toEqual([
    ['The contract is new.'],
    ['The contract was removed.'],
  ]);
});
