/** The Arazzo documents in `openapi/workflows/`, and types for the parts that this project reads. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The journeys in reading order. Each name is the name of a document. */
export const journeys = [
  'earn',
  'sign-in',
  'redeem-delivered',
  'redeem-rejected',
  'insufficient-balance',
  'wallet',
  'v2-journey',
  'webhook-registration',
] as const;

/** A step of a workflow: a call, or another workflow. */
export interface Step {
  readonly stepId: string;
  readonly description: string;
  /** `$sourceDescriptions.<name>.<operationId>`, if the step is a call. */
  readonly operationId?: string;
  /** `$sourceDescriptions.<name>.workflows.<workflowId>`, if the step is another workflow. */
  readonly workflowId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in?: string; readonly value: unknown }[];
  readonly requestBody?: { readonly payload: unknown };
  readonly successCriteria?: readonly Criterion[];
  readonly 'x-security'?: readonly { readonly schemeName: string }[];
}

/** A success criterion of a step. */
export interface Criterion {
  readonly condition: string;
  readonly type?: 'jsonpath' | 'regex';
  readonly context?: string;
}

/** A workflow of an Arazzo document. */
export interface Workflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly description: string;
  readonly inputs: {
    readonly properties: Readonly<Record<string, { readonly description: string; readonly default?: unknown }>>;
  };
  readonly steps: readonly Step[];
}

/** An Arazzo document. */
export interface WorkflowDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly sourceDescriptions: readonly {
    readonly name: string;
    readonly type: 'openapi' | 'arazzo';
    readonly url: string;
  }[];
  readonly workflows: readonly Workflow[];
}

/** Returns the file path of a journey's document. */
export function journeyFile(name: string): string {
  return fileURLToPath(new URL(`../../openapi/workflows/${name}.arazzo.yaml`, import.meta.url));
}

/** Reads a document without validation, which Redocly performs. */
export function readDocument(file: string): WorkflowDocument {
  // Redocly rejects duplicate keys. Checking them here would compare each key with all others.
  return parse(readFileSync(file, 'utf8'), { uniqueKeys: false });
}
