/** The Arazzo documents, as documents; whether they are true is for `run.test.ts` to say (OP-56). */
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { journeyFile, journeys, readDocument } from '../../sandbox/workflows/documents.ts';
import { loadContracts } from '../harness/contracts.ts';

const documents = journeys.map((name) => ({ name, document: readDocument(journeyFile(name)) }));
const steps = documents.flatMap(({ name, document }) =>
  document.workflows.flatMap((workflow) => workflow.steps.map((step) => ({ name, document, step }))),
);

/** The source that a step's operation or workflow is in, and its name there. */
function target({ document, step }: (typeof steps)[number]) {
  const [, source, name] = /^\$sourceDescriptions\.(\w+)\.(?:workflows\.)?([\w-]+)$/.exec(
    step.operationId ?? step.workflowId ?? '',
  ) ?? ['', '', ''];
  return { source: document.sourceDescriptions.find((known) => known.name === source), name };
}

it('OP-56: eight journeys, each a document with one workflow of its name, each listed', () => {
  const files = readdirSync(dirname(journeyFile('earn'))).filter((name) => name.endsWith('.arazzo.yaml'));
  expect(files.sort()).toEqual(journeys.map((name) => `${name}.arazzo.yaml`).sort());
  expect(documents.map(({ document }) => document.workflows.map(({ workflowId }) => workflowId))).toEqual(
    journeys.map((name) => [name]),
  );
});

it('every step is an operation of a contract, or another journey', () => {
  const known = new Map(loadContracts().map(({ name, operations }) => [name, operations.map(({ id }) => id)]));
  const lost = steps.filter((found) => {
    const { source, name } = target(found);
    if (source?.type === 'arazzo') return source.url !== `${name}.arazzo.yaml`;
    return !known.get(basename(source?.url ?? '', '.yaml'))?.includes(name);
  });
  expect(lost.map(({ name, step }) => `${name}: ${step.stepId}`)).toEqual([]);
});

it('every step of the control API says that it is the sandbox only, and no other does', () => {
  const told = steps.filter(({ step }) => step.description.startsWith('Sandbox only: '));
  expect(told.length).toBeGreaterThan(20);
  expect(told).toEqual(steps.filter((found) => target(found).source?.url === '../sandbox.yaml'));
});

it('every step expects a status, and most of them more than that', () => {
  const expecting = steps.filter(({ step }) => step.operationId !== undefined);
  const conditions = expecting.map(({ step }) => step.successCriteria?.map(({ condition }) => condition) ?? []);
  expect(conditions.filter(([first]) => !/^\$statusCode == \d{3}$/.test(first ?? ''))).toEqual([]);
  expect(conditions.filter(({ length }) => length > 1).length).toBeGreaterThan(expecting.length * 0.7);
});
