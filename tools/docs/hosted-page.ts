/** Generates the page for an operation that the partner implements: request, responses, code and requirements. */
import { loadRequirements } from '../../sandbox/certification/requirement.ts';
import {
  type Bundle,
  type Example,
  type Operation,
  operationLink,
  operationsOf,
  type Reference,
  readBundle,
  resolved,
} from './bundles.ts';
import { escaped } from './citations.ts';
import { exampleCode } from './example-code.ts';
import { givenOf } from './request.ts';

/** Contracts that a client server implements. */
const hosted = ['client', 'auth', 'v2-client'];

/** Statuses that depend on the logic of an operation. All other responses are the same for every operation. */
const decided = ['200', '422'];

/** Returns the page body for an operation that the client hosts. Throws for any other operation. */
export function hostedInsert(id: string): string {
  for (const api of hosted) {
    const bundle = readBundle(api);
    const found = operationsOf(bundle).find(({ operation }) => operation.operationId === id);
    if (found === undefined) continue;
    return [
      `## Request {#request}\n\n${request({ bundle, api, ...found })}`,
      `## Responses {#responses}\n\n${responses(bundle, found.operation)}`,
      `Every field, header and status: [full reference](${operationLink(api, found.operation)}).`,
      ...(api === 'v2-client' ? [] : [code(id)]),
      `## Requirements {#requirements}\n\n[Certify](/certify) checks this operation with:\n\n${requirements(id)}`,
    ].join('\n\n');
  }
  throw new Error(`The client hosts no operation ${id}.`);
}

function code(id: string): string {
  return `## Code {#code}\n\nFrom the [example servers](/what-you-build#examples):\n\n${exampleCode(id)}`;
}

function request(called: Parameters<typeof givenOf>[0]): string {
  const { parameters, body, credential } = givenOf(called);
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: place, example }) => (place === 'query' ? [[name, String(example)]] : [])),
  ).toString();
  const scheme = credential?.scheme === 'basic' ? 'Basic' : 'Bearer';
  const lines = [
    `${called.method} ${called.path}${query === '' ? '' : `?${query}`}`,
    `Authorization: ${scheme} ${credential?.scheme === 'basic' ? 'bWljcm9zaXRlOnBhc3N3b3Jk' : 'TOKEN'}`,
    ...(body === undefined ? [] : ['Content-Type: application/json', '', JSON.stringify(body, null, 2)]),
  ];
  return `\`\`\`http\n${lines.join('\n')}\n\`\`\``;
}

type Content = Readonly<Record<string, { readonly examples?: Readonly<Record<string, Example | Reference>> }>>;

/** Returns the responses as tabs, so that readers can compare them. */
function responses(bundle: Bundle, { responses: all }: Operation): string {
  const tabs = decided.flatMap((status) => {
    const { content } = resolved<{ readonly content?: unknown }>(bundle, all[status] ?? {});
    const examples = Object.entries((content as Content | undefined)?.['application/json']?.examples ?? {});
    return examples.map(([name, example]) => {
      const body = JSON.stringify(resolved<Example>(bundle, example).value, null, 2);
      return `\`\`\`json [${status} ${name.replaceAll('_', ' ')}]\n${body}\n\`\`\``;
    });
  });
  return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::`;
}

function requirements(id: string): string {
  const list = loadRequirements().list.filter(({ operation }) => operation === id);
  if (list.length === 0) throw new Error(`No requirement checks ${id}.`);
  const rows = list.map(
    ({ id, title, level }) => `| [${id}](/requirements#${id.toLowerCase()}) | ${escaped(title)} | ${level} |`,
  );
  return `| Id | Requirement | Level |\n| --- | --- | --- |\n${rows.join('\n')}`;
}
