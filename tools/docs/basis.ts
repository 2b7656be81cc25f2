/**
 * Says at every parameter, body, field and reply of a contract whether the interface states it, or this sandbox chose
 * it.
 */
import { placeOf } from './citations.ts';

type Node = { [key: string]: unknown; $ref?: string; description?: string };

/**
 * Writes the basis into the descriptions of a bundle. What has no `x-basis` of its own rests on what the part around it
 * rests on, at last on its operation's.
 */
export function showBasis(bundle: Node): void {
  const pristine = structuredClone(bundle);
  const seen = new Map<string, string>();
  const annotated = new Set<Node>();

  /** A schema, and all within it, resting on `around` unless it says otherwise. Returns what it rests on. */
  function schema(node: Node, around: string): string {
    if (node.$ref !== undefined) return shared(node, around);
    const basis = own(node) ?? around;
    for (const part of partsOf(node)) schema(part, basis);
    for (const field of Object.values((node.properties ?? {}) as Record<string, Node>)) {
      const rests = schema(field, basis);
      if (annotated.has(field)) continue;
      annotated.add(field);
      field.description = told(field.description ?? described(field), rests);
    }
    return basis;
  }

  /** A schema by reference. One that was shown resting on something else already is written out anew in this place. */
  function shared(node: Node, around: string): string {
    const reference = node.$ref ?? '';
    const target = resolve(bundle, reference);
    const basis = own(node) ?? own(target) ?? around;
    const rests = own(target) ?? basis;
    const before = seen.get(reference);
    if (before === undefined) {
      seen.set(reference, rests);
      schema(target, rests);
    } else if (before !== rests && target.properties !== undefined) {
      delete node.$ref;
      Object.assign(node, { ...structuredClone(resolve(pristine, reference)), ...node });
      schema(node, rests);
    }
    return basis;
  }

  /** What a reference shows where it has no words of its own. */
  function described(node: Node): string | undefined {
    return node.$ref === undefined ? undefined : resolve(bundle, node.$ref).description;
  }

  /** A parameter, header or reply: described in place, also when it is shared. */
  function part(node: Node, around: string): string {
    const target = node.$ref === undefined ? node : resolve(bundle, node.$ref);
    const basis = own(target) ?? around;
    if (annotated.has(target)) return basis;
    annotated.add(target);
    target.description = told(target.description, basis);
    if (isNode(target.schema)) schema(target.schema, basis);
    for (const media of Object.values((target.content ?? {}) as Record<string, Node>)) {
      if (isNode(media.schema)) schema(media.schema, basis);
    }
    for (const header of Object.values((target.headers ?? {}) as Record<string, Node>)) part(header, basis);
    return basis;
  }

  for (const item of [...values(bundle.paths), ...values(bundle.webhooks)]) {
    for (const operation of Object.values(item) as Node[]) {
      const basis = own(operation);
      if (basis === undefined) continue;
      operation.description = told(operation.description, basis);
      for (const parameter of (operation.parameters ?? []) as Node[]) part(parameter, basis);
      if (isNode(operation.requestBody)) part(operation.requestBody, basis);
      for (const response of values(operation.responses)) part(response, basis);
    }
  }
}

/** The schemas that a schema is put together from, other than its fields. */
function partsOf(node: Node): Node[] {
  const single = ['items', 'additionalProperties', 'if', 'then', 'else', 'not'].map((key) => node[key]);
  const several = ['allOf', 'oneOf', 'anyOf', 'prefixItems'].flatMap((key) => node[key] ?? []);
  return [...single, ...several].filter(isNode);
}

/** The words with their basis behind them. */
function told(description: string | undefined, basis: string): string {
  const words = description?.trim() ?? '';
  const ids = basis.replace('stated ', '').split(' ');
  const links = ids.map((id) => `[${id}](/docs${placeOf(id)})`).join(', ');
  const badge = `**${basis.startsWith('stated ') ? 'Stated' : 'Assumed'}** (${links})`;
  return words === '' ? badge : `${words}${words.includes('\n') ? '\n\n' : ' '}${badge}`;
}

function own(node: Node): string | undefined {
  return typeof node['x-basis'] === 'string' ? node['x-basis'] : undefined;
}

function values(node: unknown): Node[] {
  return isNode(node) ? (Object.values(node) as Node[]) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function resolve(bundle: Node, reference: string): Node {
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (node, key) => (isNode(node) ? node[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      bundle,
    );
  if (!isNode(found)) throw new Error(`${reference} leads nowhere.`);
  return found;
}
