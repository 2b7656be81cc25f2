import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  journeyFile,
  journeys,
  readDocument,
  type Step,
  type WorkflowDocument,
} from '../../sandbox/workflows/respect.ts';
import { operationLink, operationsOf, readBundle } from './bundles.ts';
import { escaped } from './citations.ts';

/** Returns a section for each journey: its purpose, its steps, and a link to its document with the requests and expected replies. */
export function workflowsInsert(): string {
  return journeys.map(journeySection).join('\n\n');
}

/** Returns the inputs of the journeys without duplicates. The first document with an input provides its description. */
export function workflowInputsInsert(): string {
  const inputs = new Map<string, string>();
  for (const name of ['sign-in', ...journeys])
    for (const { properties } of readDocument(journeyFile(name)).workflows.map((workflow) => workflow.inputs))
      for (const [input, { description }] of Object.entries(properties))
        if (!inputs.has(input)) inputs.set(input, description);
  const rows = [...inputs].map(([name, description]) => `| \`${name}\` | ${escaped(description)} |`);
  return `| Input | What it is |\n| --- | --- |\n${rows.join('\n')}`;
}

/** Writes the workflow documents into a built site, with links to the published contracts. */
export function writeWorkflows(site: string): void {
  const folder = join(site, 'workflows');
  mkdirSync(folder, { recursive: true });
  for (const name of journeys) {
    const file = journeyFile(name);
    const text = readFileSync(file, 'utf8').replaceAll(/url: \.\.\/([\w-]+)\.yaml/g, 'url: ../reference/$1.json');
    writeFileSync(join(folder, basename(file)), text);
  }
  for (const name of journeys) {
    const written = join(folder, basename(journeyFile(name)));
    for (const { url } of readDocument(written).sourceDescriptions)
      if (!existsSync(join(folder, url))) throw new Error(`${written} rests on ${url}, which is not in the site.`);
  }
}

function journeySection(name: (typeof journeys)[number]): string {
  const document = readDocument(journeyFile(name));
  const { info, workflows } = document;
  const file = `${name}.arazzo.yaml`;
  return [
    `## ${info.title} {#${name}}`,
    `${escaped(info.summary)} <a href="/docs/workflows/${file}" download>Download ${file}</a>`,
    ...workflows.map(({ steps }) =>
      steps.map((step) => `1. **${step.stepId}** ${targetLink(document, step)}`).join('\n'),
    ),
  ].join('\n\n');
}

/** Returns a link to the operation or journey that a step calls. Throws if there is none. */
function targetLink({ sourceDescriptions }: WorkflowDocument, step: Step): string {
  const reference = step.operationId ?? step.workflowId ?? '';
  const [, source, name = ''] = /^\$sourceDescriptions\.(\w+)\.(?:workflows\.)?([\w-]+)$/.exec(reference) ?? [];
  const found = sourceDescriptions.find((each) => each.name === source);
  if (found?.type === 'arazzo') return `[the journey ${name}](#${name})`;
  const api = basename(found?.url ?? '', '.yaml');
  const target = operationsOf(readBundle(api)).find(({ operation }) => operation.operationId === name);
  if (target === undefined) throw new Error(`${step.stepId} calls ${reference}, which is in no contract.`);
  return `[\`${target.method} ${target.path}\`](${operationLink(api, target.operation)})`;
}
