/** Generates the reference of each contract as Markdown, for programs that read text. Browsers use the Redoc version. */
import {
  type Bundle,
  type Operation,
  operationsOf,
  type Parameter,
  type Reference,
  readBundle,
  referenced,
  resolved,
  serverOf,
} from './bundles.ts';
import { escaped } from './citations.ts';

/** The schema fields needed to describe a property. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly items?: Schema | Reference;
  readonly allOf?: readonly (Schema | Reference)[];
  readonly oneOf?: readonly (Schema | Reference)[];
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly 'x-basis'?: string;
}

type Content = Readonly<Record<string, { readonly schema?: Schema | Reference }>>;

/** Returns the pages, keyed by file name, such as `reference/rewards.md`. */
export function referencePages(): Map<string, string> {
  return new Map(referenced.map((api) => [`reference/${api}.md`, page(api)]));
}

function page(api: string): string {
  const bundle = readBundle(api);
  const { title, summary, description, version } = bundle.info;
  return [
    `# ${title}`,
    escaped(summary),
    escaped(description),
    `Version ${version}, at \`${serverOf(bundle)}\`. [Contract as OpenAPI](/downloads/${api}.json). In brackets: what a field or operation rests on.`,
    ...operationsOf(bundle).map((found) => section(bundle, found)),
    ...operationsOf({ paths: bundle.webhooks ?? {} }).map(({ method, operation }) =>
      section(bundle, { method, path: '(the address of your webhook)', operation }),
    ),
  ].join('\n\n');
}

function section(bundle: Bundle, { method, path, operation }: ReturnType<typeof operationsOf>[number]): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(bundle, parameter));
  const lines = parameters.map(
    ({ name, in: where, required, description }) =>
      `- \`${name}\` (${where}${required === true ? ', required' : ''}): ${escaped(oneLine(description))}`,
  );
  return [
    `## ${operation.operationId}: \`${method} ${path}\``,
    `${operation.summary}. ${escaped(oneLine(operation.description))} [${escaped(operation['x-basis'])}]`,
    ...(lines.length === 0 ? [] : [`Parameters:\n\n${lines.join('\n')}`]),
    ...body(bundle, 'Request body', operation.requestBody?.content as Content | undefined),
    ...replies(bundle, operation),
  ].join('\n\n');
}

function replies(bundle: Bundle, { responses }: Operation): string[] {
  const all = Object.entries(responses).map(([status, response]) => {
    const { description, content } = resolved<{ description?: string; content?: unknown }>(bundle, response);
    return { status, text: oneLine(description), content: content as Content | undefined };
  });
  const list = all.map(({ status, text }) => `- ${status}: ${escaped(text)}`);
  const [good] = all.filter(({ status }) => status.startsWith('2'));
  return [`Responses:\n\n${list.join('\n')}`, ...body(bundle, `Body of ${good?.status}`, good?.content)];
}

function body(bundle: Bundle, title: string, content: Content | undefined): string[] {
  const schema = content?.['application/json']?.schema;
  const lines = schema === undefined ? [] : fields(bundle, schema, '', new Set());
  return lines.length === 0 ? [] : [`${title}:\n\n${lines.join('\n')}`];
}

/** Returns a line for each field, followed by its nested fields. Does not expand recursive schemas again. */
function fields(bundle: Bundle, part: Schema | Reference, indent: string, above: ReadonlySet<object>): string[] {
  const schema = resolved<Schema>(bundle, part);
  if (above.has(schema)) return [];
  const inside = new Set([...above, schema]);
  const { properties = {}, required = [], items, allOf = [], oneOf = [], anyOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const field = resolved<Schema>(bundle, property);
      const about = [typeOf(field), ...(required.includes(name) ? ['required'] : [])].filter(Boolean).join(', ');
      const basis = field['x-basis'] === undefined ? '' : ` [${escaped(field['x-basis'])}]`;
      const text = field.description === undefined ? '' : `: ${escaped(oneLine(field.description))}`;
      return [`${indent}- \`${name}\` (${about})${text}${basis}`, ...fields(bundle, field, `${indent}  `, inside)];
    }),
    ...[items ?? [], allOf, oneOf, anyOf].flat().flatMap((one) => fields(bundle, one, indent, inside)),
  ];
}

function typeOf({ type, enum: values, const: only }: Schema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  return [type ?? []].flat().join(' or ');
}

function oneLine(text = ''): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
