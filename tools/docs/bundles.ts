import { contracts } from '../../docs/.vitepress/navigation.ts';
import { contractNames } from '../../sandbox/apis/registry.ts';
import { read } from './content.ts';

/** The parts of a bundled contract that the documentation uses. */
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

/** Contracts with a reference page. */
export const referenced = contractNames.filter((api) => api in contracts);

/** Reads a contract as a single document. */
export function readBundle(api: string): Bundle {
  return JSON.parse(read(`generated/${api}/bundle.json`));
}

/** Returns every operation of a contract with its method and path. */
export function operationsOf({
  paths,
}: Pick<Bundle, 'paths'>): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'delete', 'patch'].includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Returns the entries of a contract's reference: operations, then webhooks. */
export function operationsAndWebhooksOf({ paths, webhooks = {} }: Bundle): Operation[] {
  return [...operationsOf({ paths }), ...operationsOf({ paths: webhooks })].map(({ operation }) => operation);
}

/** Returns the address of an operation in the reference. */
export function operationLink(api: string, { operationId }: { readonly operationId: string }): string {
  return `/reference/${api}#operation/${operationId}`;
}

/** Returns the base URL of a contract. Throws if it has no server. */
export function serverOf({ info, servers: [server] }: Bundle): string {
  if (server === undefined) throw new Error(`${info.title} has no server.`);
  return server.url;
}

/** Resolves an element that may be a reference. Throws if the reference has no target. */
export function resolved<T extends object>(bundle: Bundle, part: T | Reference): T {
  if (!('$ref' in part)) return part;
  const keys = part.$ref.slice(2).split('/');
  const found = keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], bundle);
  if (found === undefined) throw new Error(`${part.$ref} leads nowhere.`);
  return found as T;
}
