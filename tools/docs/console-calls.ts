/** What the console of the reference needs to send each operation of a contract. */
import { contractsOf } from '../../sandbox/apis/registry.ts';
import { type Bundle, operationsOf, type Parameter, readBundle } from './bundles.ts';
import { demoValues } from './demo-values.ts';
import { type Called, givenOf } from './request.ts';

/** The contracts that have a console: programs call them, at the address of the sandbox. */
export const consoleContracts = contractsOf(({ calledBy }) => calledBy === 'programs');

/** A parameter with what its field contains at first; `{{NAME}}` stands for a variable. */
export interface ConsoleParameter {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly value: string;
  readonly example: string;
  readonly required: boolean;
}

/** A call as the console offers it. */
export interface ConsoleCall {
  readonly operationId: string;
  readonly method: string;
  /** From the root of the sandbox. */
  readonly path: string;
  readonly parameters: readonly ConsoleParameter[];
  /** JSON text; absent for an operation without a request body. */
  readonly body?: string;
  /** Security schemes that open the operation, the usual one first; `none` where no credential is needed. */
  readonly schemes: readonly string[];
  /** Variables to set from a successful response, and the steps that lead to each value. */
  readonly keeps: Steps;
}

/** Variables, and the steps to their values in a document: a name, an index, or `*` for the first item that has the next step. */
export type Steps = Readonly<Record<string, readonly string[]>>;

/** All that the console knows of a contract. */
export interface ConsoleCalls {
  /** By operationId in lower case, which is how Redoc names the place of an operation. */
  readonly calls: Readonly<Record<string, ConsoleCall>>;
  /** Which operation sets each variable. */
  readonly setBy: Readonly<Record<string, string>>;
  /** Variables that are in the response of `getWorkspace`. */
  readonly ofWorkspace: Steps;
}

/** The calls of a contract, prefilled like its samples and its collections. */
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

/** The expressions that the collections evaluate, as steps: the Content-Security-Policy lets no page evaluate them. */
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
