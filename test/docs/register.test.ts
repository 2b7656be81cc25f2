/** The register of open points and the list of the sandbox's own behaviour use one format and one series of ids. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { interfaceContracts } from '../../sandbox/apis/registry.ts';
import { settingsOf } from '../../sandbox/conformance/answers.ts';
import { operationsIn } from '../../sandbox/contract/basis.ts';
import { at, type Node } from '../../sandbox/contract/document.ts';
import { readBundle } from '../../tools/docs/bundles.ts';
import { behaviourGroups, behaviours, openPoints, registerIds } from '../../tools/docs/register.ts';
import { root } from '../harness/sources.ts';

const line = expect.stringMatching(/^\S.*\S$/);
const sentence = expect.stringMatching(/^[^\n]*\.$/);
const numberOf = (id: string) => Number.parseInt(id.slice(3), 10);

describe('docs/register.yaml', () => {
  it('is in the order of its ids', () => {
    expect(openPoints.length).toBeGreaterThan(50);
    const numbers = openPoints.map(({ id }) => numberOf(id));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  it.each(openPoints.map((row) => [row.id, row] as const))(
    '%s has a title, a question, what the sandbox does, and what to ask',
    (_, { operations, blocks, settle, ...row }) => {
      expect(row).toEqual({
        id: line,
        title: line,
        open: sentence,
        choice: sentence,
        next: sentence,
        since: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
      expect([undefined, true]).toContain(blocks);
      expect(operations?.length).not.toBe(0);
      // A point explains its settings in `settle` if and only if it has any.
      expect(settle).toEqual(settingsOf(row.id).length > 0 ? sentence : undefined);
    },
  );

  it('names only operations of the interface and the portal', () => {
    const contracts = [...interfaceContracts, 'portal' as const].map((api): Node => ({ ...readBundle(api) }));
    const operationIds = new Set(
      contracts.flatMap((bundle) =>
        operationsIn(bundle).map((pointer) => (at(bundle, pointer) as { operationId: string }).operationId),
      ),
    );
    const rows = openPoints.flatMap(({ id, operations = [] }) => operations.map((operation) => ({ id, operation })));
    expect(rows.filter(({ operation }) => !operationIds.has(operation))).toEqual([]);
  });
});

describe('docs/behaviour.yaml', () => {
  it('has a title and sentences in each row, and a name for each group', () => {
    const groups = behaviourGroups.map(({ group }) => group);
    expect(groups).toEqual([...new Set(groups)]);
    const rows = behaviours.map((row) => ({ ...row }));
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) expect(row).toEqual({ id: line, title: line, text: sentence });
  });
});

describe('ids', () => {
  it('are well formed, and none is in both lists', () => {
    expect(registerIds.filter((id) => !/^OP-\d{2,3}$/.test(id))).toEqual([]);
    expect(registerIds.filter((id, index) => registerIds.indexOf(id) !== index)).toEqual([]);
  });

  it('that code, contracts, tests and documents mention exist', () => {
    const matches = execFileSync('git', ['grep', '-ohE', '\\bOP-[0-9]{2,3}\\b'], { cwd: root, maxBuffer: 2 ** 24 });
    const mentionedIds = new Set(matches.toString().trim().split('\n'));
    expect(mentionedIds.size).toBeGreaterThan(100);
    expect([...mentionedIds].filter((id) => !registerIds.includes(id))).toEqual([]);
  });
});
