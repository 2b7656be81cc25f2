/** Tests the structure of the Arazzo documents (OP-56). `run.nightly.test.ts` runs them. */
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { journeyFile, journeys, readDocument } from '../../sandbox/workflows/respect.ts';
import { loadContracts } from '../harness/contracts.ts';

const documents = journeys.map((name) => ({ name, document: readDocument(journeyFile(name)) }));
const steps = documents.flatMap(({ name, document }) =>
  document.workflows.flatMap((workflow) => workflow.steps.map((step) => ({ name, document, step }))),
);

/** Returns the source description and the name of a step's operation or workflow. */
function target({ document, step }: (typeof steps)[number]) {
  const [, source, name] = /^\$sourceDescriptions\.(\w+)\.(?:workflows\.)?([\w-]+)$/.exec(
    step.operationId ?? step.workflowId ?? '',
  ) ?? ['', '', ''];
  return { source: document.sourceDescriptions.find((each) => each.name === source), name };
}

it('OP-56: eight journeys, each a document with one workflow of its name, each listed', () => {
  const files = readdirSync(dirname(journeyFile('earn'))).filter((name) => name.endsWith('.arazzo.yaml'));
  expect(files.sort()).toEqual(journeys.map((name) => `${name}.arazzo.yaml`).sort());
  expect(documents.map(({ document }) => document.workflows.map(({ workflowId }) => workflowId))).toEqual(
    journeys.map((name) => [name]),
  );
});

it('every step is an operation of a contract, or another journey', () => {
  const operationIds = new Map(loadContracts().map(({ name, operations }) => [name, operations.map(({ id }) => id)]));
  const unresolved = steps.filter((each) => {
    const { source, name } = target(each);
    if (source?.type === 'arazzo') return source.url !== `${name}.arazzo.yaml`;
    return !operationIds.get(basename(source?.url ?? '', '.yaml'))?.includes(name);
  });
  expect(unresolved.map(({ name, step }) => `${name}: ${step.stepId}`)).toEqual([]);
});

it('the description of each step of the control API says that it is for the sandbox only, and no other does', () => {
  const sandboxOnly = steps.filter(({ step }) => step.description.startsWith('Sandbox only: '));
  expect(sandboxOnly.length).toBeGreaterThan(20);
  expect(sandboxOnly).toEqual(steps.filter((each) => target(each).source?.url === '../sandbox.yaml'));
});

it('every step checks a status, and most check more', () => {
  const expecting = steps.filter(({ step }) => step.operationId !== undefined);
  const conditions = expecting.map(({ step }) => step.successCriteria?.map(({ condition }) => condition) ?? []);
  expect(conditions.filter(([first]) => !/^\$statusCode == \d{3}$/.test(first ?? ''))).toEqual([]);
  expect(conditions.filter(({ length }) => length > 1).length).toBeGreaterThan(expecting.length * 0.7);
});
