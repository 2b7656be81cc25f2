import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Criterion,
  journeyFile,
  journeys,
  readDocument,
  type Step,
  type Workflow,
  type WorkflowDocument,
} from '../../sandbox/workflows/documents.ts';
import { operationLink, operationsOf, readBundle } from './bundles.ts';
import { escaped } from './citations.ts';

/** Each journey: what it is about, its steps with what they send and expect, and its document to download. */
export function workflowsInsert(): string {
  return journeys.map(journeySection).join('\n\n');
}

/** What the journeys are given, each input once, as the first document that has it describes it. */
export function workflowInputsInsert(): string {
  const inputs = new Map<string, string>();
  for (const name of ['sign-in', ...journeys])
    for (const { properties } of readDocument(journeyFile(name)).workflows.map((workflow) => workflow.inputs))
      for (const [input, { description }] of Object.entries(properties))
        if (!inputs.has(input)) inputs.set(input, description);
  const rows = [...inputs].map(([name, description]) => `| \`${name}\` | ${escaped(description)} |`);
  return `| Input | What it is |\n| --- | --- |\n${rows.join('\n')}`;
}

/** Writes the documents into a built site, where they rest on the contracts that the reference shows. */
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
    escaped(info.summary),
    escaped(info.description),
    `<a href="/docs/workflows/${file}" download>Download ${file}</a>`,
    ...workflows.flatMap((workflow) => [escaped(workflow.description), stepList(document, workflow)]),
  ].join('\n\n');
}

function stepList(document: WorkflowDocument, { steps }: Workflow): string {
  return steps.map((step, index) => `${index + 1}. ${stepText(document, step)}`).join('\n');
}

function stepText(document: WorkflowDocument, step: Step): string {
  const expected = (step.successCriteria ?? []).map(expectation).join(', ');
  const parts = [
    `**${step.stepId}** ${targetLink(document, step)}<br>${escaped(step.description)}`,
    ...sent(step).map((text) => `Sends ${text}`),
    ...(expected === '' ? [] : [`Expects ${expected}`]),
  ];
  return parts.join('<br>\n   ');
}

/** A link to the operation that a step calls, or to the journey that it runs. Throws if there is none. */
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

/** What a step sends: its credential, parameters and body, if any. */
function sent({ 'x-security': security = [], parameters = [], requestBody, workflowId }: Step): string[] {
  // Parameters of a nested journey are its inputs.
  const own = parameters.filter(({ value }) => workflowId === undefined || !/^\$inputs\./.test(String(value)));
  const parts = [
    ...security.map(({ schemeName }) => `credential \`${schemeName}\``),
    ...own.map(({ name, value }) => `\`${name}: ${plain(String(value))}\``),
    ...(requestBody === undefined ? [] : [`\`${plain(JSON.stringify(requestBody.payload))}\``]),
  ];
  return parts.length === 0 ? [] : [parts.join(', ')];
}

/** A success criterion in fewer signs: paths into the reply by dots, other steps' outputs by their names. */
function expectation({ condition, type, context = '' }: Criterion): string {
  const status = /^\$statusCode == (\d{3})$/.exec(condition);
  if (status !== null) return `**${status[1]}**`;
  if (type === 'regex') return `\`${plain(context)}\` to match \`${condition}\``;
  if (type === 'jsonpath') return `\`${condition.replace(/^\$\[\?(.*)\]$/, '$1').replaceAll('@.', '')}\``;
  return `\`${plain(condition)}\``;
}

function plain(text: string): string {
  return text
    .replaceAll(/\$response\.body#\/([\w/]+)/g, (_, path: string) => path.replaceAll('/', '.'))
    .replaceAll(/\$steps\.(\w+)\.outputs\.(\w+)/g, '$1.$2')
    .replaceAll(/\$inputs\.(\w+)/g, 'inputs.$1');
}
