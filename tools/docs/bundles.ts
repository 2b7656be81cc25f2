import { contracts } from '../../docs/.vitepress/navigation.ts';
import { contractNames } from '../../sandbox/apis/registry.ts';
import { read } from './content.ts';

/** Parts of a bundled contract that the documentation looks at. */
export interface Bundle {
  readonly info: {
    readonly title: string;
    readonly summary: string;
    readonly description: string;
    readonly version: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components?: {
    readonly examples?: Readonly<Record<string, Example>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
  readonly security?: readonly Security[];
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export type Security = Readonly<Record<string, readonly string[]>>;

export interface SecurityScheme {
  readonly type: 'apiKey' | 'http';
  readonly scheme?: 'basic' | 'bearer';
}

export interface Reference {
  readonly $ref: string;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
  readonly 'x-basis'?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required?: boolean;
  readonly example: unknown;
  readonly description: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly 'x-basis': string;
  readonly 'x-hosted-by': 'platform' | 'client' | 'sandbox';
  readonly security?: readonly Security[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples: Readonly<Record<string, Example | Reference>> }>>;
  };
}

/** The contracts that have a reference. */
export const referenced = contractNames.filter((api) => api in contracts);

/** A contract as one document. */
export function readBundle(api: string): Bundle {
  return JSON.parse(read(`generated/${api}/bundle.json`));
}

/** Every operation of a contract with where it is. */
export function operationsOf({
  paths,
}: Pick<Bundle, 'paths'>): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'delete', 'patch'].includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** All that the reference shows of a contract: its operations, then its webhooks. */
export function operationsAndWebhooksOf({ paths, webhooks = {} }: Bundle): Operation[] {
  return [...operationsOf({ paths }), ...operationsOf({ paths: webhooks })].map(({ operation }) => operation);
}

/** Where the reference shows an operation. */
export function operationLink(api: string, { operationId }: { readonly operationId: string }): string {
  return `/reference/${api}#operation/${operationId}`;
}

/** Where a contract is served. */
export function serverOf({ info, servers: [server] }: Bundle): string {
  if (server === undefined) throw new Error(`${info.title} has no server.`);
  return server.url;
}

/** A part that may stand elsewhere in the bundle. */
export function resolved<T extends object>(bundle: Bundle, part: T | Reference): T {
  if (!('$ref' in part)) return part;
  const keys = part.$ref.slice(2).split('/');
  const found = keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], bundle);
  if (found === undefined) throw new Error(`${part.$ref} leads nowhere.`);
  return found as T;
}
