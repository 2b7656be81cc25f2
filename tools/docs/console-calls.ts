/** Data that the reference console needs to call each operation of a contract. */
import { contractsOf } from '../../sandbox/apis/registry.ts';
import { type Bundle, operationsOf, type Parameter, readBundle } from './bundles.ts';
import { demoValues } from './demo-values.ts';
import { type Called, givenOf } from './request.ts';

/** Contracts of APIs that programs call at the sandbox's address. Only these contracts have a console. */
export const consoleContracts = contractsOf(({ calledBy }) => calledBy === 'programs');

/** A parameter and the initial value of its field. `{{NAME}}` refers to a variable. */
export interface ConsoleParameter {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly value: string;
  readonly example: string;
  readonly required: boolean;
}

/** A call that the console can send. */
export interface ConsoleCall {
  readonly operationId: string;
  readonly method: string;
  /** Path from the root of the sandbox. */
  readonly path: string;
  readonly parameters: readonly ConsoleParameter[];
  /** JSON text. Absent for an operation without a request body. */
  readonly body?: string;
  /** Accepted security schemes, the usual one first. `none` means that no credential is needed. */
  readonly schemes: readonly string[];
  /** Variables to set from a successful response, with the steps to each value. */
  readonly keeps: Steps;
}

/**
 * Variables by name, with the steps to each value in a document. A step is a name, an index, or `*` for the first item
 * that has the next step.
 */
export type Steps = Readonly<Record<string, readonly string[]>>;

/** The console's data for one contract. */
export interface ConsoleCalls {
  /** Calls by lower-case `operationId`, the form that Redoc uses for operation sections. */
  readonly calls: Readonly<Record<string, ConsoleCall>>;
  /** The operation that sets each variable. */
  readonly setBy: Readonly<Record<string, string>>;
  /** Variables in the response of `getWorkspace`. */
  readonly ofWorkspace: Steps;
}

/** Returns the calls of a contract, prefilled like its samples and collections. */
export function consoleCallsOf(api: string): ConsoleCalls {
  const bundle = readBundle(api);
  const calls = operationsOf(bundle).map((found) => callOf({ bundle, api, ...found }));
  const { getWorkspace, ...others } = demoValues;
  const setBy = Object.entries(others).flatMap(([id, { keeps = {} }]) => Object.keys(keeps).map((name) => [name, id]));
  return {
    calls: Object.fromEntries(calls.map((call) => [call.operationId.toLowerCase(), call])),
    setBy: Object.fromEntries(setBy),
    ofWorkspace: stepsOf(getWorkspace?.keeps),
  };
}

function callOf(called: Called): ConsoleCall {
  const { bundle, method, path, operation } = called;
  const { operationId } = operation;
  const { baseUrl, parameters, optional, body } = givenOf(called);
  const values = demoValues[operationId] ?? {};
  const field = (parameter: Parameter, isSent: boolean): ConsoleParameter => {
    const example = String(parameter.example);
    const value =
      parameter.name === 'Idempotency-Key' ? '{{RANDOM}}' : (values.parameters?.[parameter.name] ?? example);
    return {
      name: parameter.name,
      in: parameter.in,
      value: isSent ? value : '',
      example,
      required: parameter.in === 'path' || parameter.required === true,
    };
  };
  return {
    operationId,
    method,
    path: new URL(baseUrl).pathname.replace(/\/$/, '') + path,
    parameters: [
      ...parameters.map((parameter) => field(parameter, true)),
      ...optional.map((parameter) => field(parameter, values.parameters?.[parameter.name] !== undefined)),
    ],
    ...(body !== undefined && { body: JSON.stringify({ ...body, ...values.body }, null, 2) }),
    schemes: schemesOf(bundle, called),
    keeps: operationId === 'getWorkspace' ? {} : stepsOf(values.keeps),
  };
}

function schemesOf(bundle: Bundle, { operation }: Called): string[] {
  const alternatives = (operation.security ?? bundle.security ?? []).map((one) => Object.keys(one)[0] ?? 'none');
  return alternatives.length === 0 ? ['none'] : [...new Set(alternatives)];
}

/**
 * Converts the collections' JavaScript expressions into steps. The Content-Security-Policy does not let pages evaluate
 * expressions.
 */
function stepsOf(keeps: Readonly<Record<string, string>> = {}): Steps {
  const entries = Object.entries(keeps).map(([name, part]) => {
    const steps = part
      .replace(/\.find\(\((\w+)\) => \1\.\w+\)\?/, '.*')
      .replaceAll(/\[(\d+)\]\??/g, '.$1')
      .split('.');
    if (!steps.every((step) => /^(\w+|\*)$/.test(step))) throw new Error(`The console cannot read "${part}".`);
    return [name, steps];
  });
  return Object.fromEntries(entries);
}
