/** The Arazzo documents of `openapi/workflows/`, and the parts of one that are read here. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The journeys in reading order; each is the name of a document. */
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

export interface Step {
  readonly stepId: string;
  readonly description: string;
  /** `$sourceDescriptions.<name>.<operationId>`, unless the step is another workflow. */
  readonly operationId?: string;
  /** `$sourceDescriptions.<name>.workflows.<workflowId>`. */
  readonly workflowId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in?: string; readonly value: unknown }[];
  readonly requestBody?: { readonly payload: unknown };
  readonly successCriteria?: readonly Criterion[];
  readonly 'x-security'?: readonly { readonly schemeName: string }[];
}

export interface Criterion {
  readonly condition: string;
  readonly type?: 'jsonpath' | 'regex';
  readonly context?: string;
}

export interface Workflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly description: string;
  readonly inputs: {
    readonly properties: Readonly<Record<string, { readonly description: string; readonly default?: unknown }>>;
  };
  readonly steps: readonly Step[];
}

export interface WorkflowDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string };
  readonly sourceDescriptions: readonly {
    readonly name: string;
    readonly type: 'openapi' | 'arazzo';
    readonly url: string;
  }[];
  readonly workflows: readonly Workflow[];
}

/** The file of a journey. */
export function journeyFile(name: string): string {
  return fileURLToPath(new URL(`../../openapi/workflows/${name}.arazzo.yaml`, import.meta.url));
}

/** A document as it is written. Whether it is a valid one is for Redocly to say. */
export function readDocument(file: string): WorkflowDocument {
  // The program that runs it refuses keys that occur twice; this library compares each key with all others.
  return parse(readFileSync(file, 'utf8'), { uniqueKeys: false });
}
