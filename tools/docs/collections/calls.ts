/**
 * All calls of the reference samples as one collection, independent of any tool's format. Each call follows the calls
 * whose results it needs. Values contain variables as `{{NAME}}`, which Postman, Bruno and `.http` files all support.
 */
import { contractsOf } from '../../../sandbox/apis/registry.ts';
import { rootOf, secretsOf } from '../../../sandbox/assembly/settings.ts';
import { type Bundle, operationsOf, type Parameter, readBundle } from '../bundles.ts';
import { demoValues, ending, journey, type Values } from '../demo-values.ts';
import { type Called, type Given, givenOf } from '../request.ts';

/** Contracts of the APIs that programs call, in the order of the collection. */
export const called = contractsOf(({ calledBy }) => calledBy === 'programs');

/** A parameter with its value. Optional parameters are included with `sent` set to false. */
export interface Value {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly sent: boolean;
}

/** A call to an operation, independent of any tool. */
export interface Call {
  /** The summary of the operation. */
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** The variable that contains the call's base address. */
  readonly base: string;
  /** The path as in the contract, such as `/orders/{order_id}`. */
  readonly path: string;
  readonly inPath: readonly Value[];
  readonly query: readonly Value[];
  readonly headers: readonly Value[];
  readonly credential: Credential | undefined;
  /** JSON text, or `undefined` if the call has no body. */
  readonly body: string | undefined;
  /** Values to save from the reply: the variable name, and the JavaScript path to the value, such as `items[0]?.id`. */
  readonly keeps: Readonly<Record<string, string>>;
  /**
   * The expected status, and expected reply values keyed by JavaScript path. If absent, any status below 400 passes.
   */
  readonly expects?: Expectation;
}

export interface Expectation {
  readonly status: number;
  readonly values?: Readonly<Record<string, string | number>>;
}

export type Credential =
  | { readonly scheme: 'bare' | 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string };

/** A group of related calls. */
export interface Group {
  readonly name: string;
  readonly description: string;
  readonly parts: readonly (Group | Call)[];
}

/** A collection of calls. */
export interface Calls {
  readonly name: string;
  readonly description: string;
  readonly groups: readonly Group[];
  /** Initial values of the variables. */
  readonly variables: Readonly<Record<string, string>>;
}

const description = `Every operation that a program calls, and the journey from sign-in to voucher in order.

Start the sandbox and send the calls of the journey from top to bottom; each keeps what the next ones need in variables of this
collection. The whole collection can be run, too, again and again: every call is carried out, and what takes something away comes last.
The last call resets the workspace to the seed. The collection omits streams, which never end, and the call that submits a certificate.

The variables start with the credentials of the demo workspace. For another seed or workspace, send "Show addresses, credentials and
settings" first; to call a server of your own, set CLIENT.`;

/** Returns all calls: the journey, a group for each contract, and finally the calls that remove data. */
export function allCalls(): Calls {
  const bundles = new Map(called.map((api) => [api, readBundle(api)]));
  const all = [...bundles].flatMap(([api, bundle]) => endingCalls(api, bundle));
  const named = (id: string): Call => {
    const found = all.find(({ operation }) => operation.operationId === id);
    if (found === undefined) throw new Error(`The collection names ${id}, and no contract has it.`);
    return callOf(found);
  };
  const first: Group = {
    name: 'Journey: from sign-in to voucher',
    description: 'Send these in order, or run the folder.',
    parts: journey.map(named),
  };
  const last: Group = {
    name: 'At the end: what takes something away',
    description: 'Deletes what the other folders made, and goes back to a snapshot and to the seed.',
    parts: ending.map(named),
  };
  const groups = [first, ...[...bundles].map(([api, bundle]) => groupOf(api, bundle, named)), last];
  return { name: 'Rewards sandbox', description, groups, variables: variables() };
}

/** Returns a call of an operation with the given name, values and expectation. Throws for an unknown operation. */
export function callWith(id: string, name: string, values: Values, expects: Expectation): Call {
  for (const api of called) {
    const one = endingCalls(api, readBundle(api)).find(({ operation }) => operation.operationId === id);
    if (one === undefined) continue;
    const call = callOf(one, { ...demoValues[id], ...values });
    const sent = (all: readonly Value[]) => all.filter((value) => value.sent);
    return { ...call, name, description: '', query: sent(call.query), headers: sent(call.headers), expects };
  }
  throw new Error(`No contract has ${id}.`);
}

/** Reports whether the part is a group. */
export function isGroup(part: Group | Call): part is Group {
  return 'parts' in part;
}

/**
 * Calls that a collection cannot send: they need an open stream, or a certificate that only a certification can issue.
 */
const unsendable = ['postListenerReply', 'submitCertificate'];

/** Returns the calls of a contract, except endless streams and unsendable calls. */
function endingCalls(api: string, bundle: Bundle): Called[] {
  return operationsOf(bundle)
    .filter(({ operation }) => operation.responses['200']?.content?.['text/event-stream'] === undefined)
    .filter(({ operation }) => !unsendable.includes(operation.operationId))
    .map((found) => ({ ...found, api, bundle }));
}

/** Returns a contract as a group with one subgroup for each tag, in contract order. Omits the calls in `ending`. */
function groupOf(api: string, bundle: Bundle, named: (id: string) => Call): Group {
  const calls = endingCalls(api, bundle).filter(({ operation }) => !ending.includes(operation.operationId));
  const tags = bundle.tags.map(({ name, description: text }) => ({
    name,
    description: text,
    parts: calls
      .filter(({ operation }) => operation.tags[0] === name)
      .flatMap((call) => [
        ...(demoValues[call.operation.operationId]?.before ?? []).map((id) => named(id)),
        callOf(call),
      ]),
  }));
  // A tag with only webhooks has no calls.
  const parts = tags.filter((tag) => tag.parts.length > 0);
  return { name: bundle.info.title, description: bundle.info.summary, parts };
}

function callOf(one: Called, values: Values = demoValues[one.operation.operationId] ?? {}): Call {
  const { operation, method, path } = one;
  const given = givenOf(one);
  const json: Value = { key: 'Content-Type', value: 'application/json', sent: true };
  return {
    name: operation.summary,
    description: operation.description,
    method,
    base: variableOf(given.baseUrl),
    path,
    inPath: valuesOf(given, 'path', values),
    query: valuesOf(given, 'query', values),
    headers: [...valuesOf(given, 'header', values), ...(given.body === undefined ? [] : [json])],
    credential: credentialOf(given.credential),
    body: given.body === undefined ? undefined : bodyOf(given.body, values),
    keeps: values.keeps ?? {},
  };
}

/** Returns the parameters of one location, such as `query` or `header`. */
function valuesOf({ parameters, optional }: Given, where: Parameter['in'], values: Values): Value[] {
  return [...parameters, ...optional]
    .filter((parameter) => parameter.in === where)
    .map(({ name, example, required, description: text }) => ({
      key: name,
      value: values.parameters?.[name] ?? String(example),
      description: text,
      sent: required === true || values.parameters?.[name] !== undefined,
    }));
}

function bodyOf(example: unknown, { body }: Values): string {
  return JSON.stringify(body === undefined ? example : { ...(example as object), ...body }, null, 2);
}

function credentialOf(credential: Given['credential']): Credential | undefined {
  if (credential === undefined) return undefined;
  const { scheme, variable } = credential;
  if (scheme === 'basic') return { scheme, user: 'microsite', password: '{{MICROSITE_PASSWORD}}' };
  return { scheme, token: `{{${variable}}}` };
}

/** Returns the variable for a base URL of the sandbox. Throws if the URL has no path. */
function variableOf(baseUrl: string): string {
  const name = new URL(baseUrl).pathname.split('/')[1];
  if (name === undefined || name === '') throw new Error(`${baseUrl} has no variable in the collection.`);
  return name.toUpperCase();
}

/** Returns the initial variables: addresses, and the demo workspace's credentials, which are derived from its seed. */
export function variables(): Record<string, string> {
  const { companySecret, serviceToken, basic, general, gatewayToken } = secretsOf(rootOf('demo'));
  const saved = Object.values(demoValues).flatMap(({ keeps = {} }) => Object.keys(keeps));
  return {
    ...Object.fromEntries(saved.map((name) => [name, ''])),
    REWARDS: 'http://127.0.0.1:4010/rewards',
    CLIENT: 'http://127.0.0.1:4010/client',
    GENERAL: 'http://127.0.0.1:4010/general',
    SANDBOX: 'http://127.0.0.1:4010/sandbox/v1',
    GATEWAY: 'http://127.0.0.1:4010/gateway',
    COMPANY_SECRET: companySecret,
    MICROSITE_PASSWORD: basic.password,
    SERVICE_TOKEN: serviceToken,
    GENERAL_PASSWORD: general.password,
    GATEWAY_TOKEN: gatewayToken,
  };
}
