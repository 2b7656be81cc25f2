/**
 * All calls as one collection of Postman's format 2.1, which Insomnia, Bruno and Hoppscotch read, too. It is made of
 * the same calls as the samples of the reference.
 */
import { contractsOf } from '../../sandbox/apis/registry.ts';
import { rootOf, secretsOf } from '../../sandbox/assembly/settings.ts';
import { type Bundle, operationsOf, type Parameter, readBundle } from './bundles.ts';
import { demoValues, ending, journey, type Values } from './demo-values.ts';
import { type Called, type Given, givenOf } from './request.ts';

/** The contracts whose operations programs call, in the order of the collection. */
export const called = contractsOf(({ calledBy }) => calledBy === 'programs');

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: true;
}

/** A call. */
export interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly header: readonly Pair[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query?: readonly Pair[];
      readonly variable?: readonly Pair[];
    };
    readonly auth: Auth;
    readonly body?: {
      readonly mode: 'raw';
      readonly raw: string;
      readonly options: { readonly raw: { readonly language: 'json' } };
    };
  };
  readonly event?: readonly [Script];
}

/** What is run after a call. */
interface Script {
  readonly listen: 'test';
  readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] };
}

type Field = { readonly key: string; readonly value: string; readonly type: 'string' };
type Auth =
  | { readonly type: 'noauth' }
  | { readonly type: 'apikey'; readonly apikey: readonly Field[] }
  | { readonly type: 'bearer'; readonly bearer: readonly Field[] }
  | { readonly type: 'basic'; readonly basic: readonly Field[] };

export interface Folder {
  readonly name: string;
  readonly description: string;
  readonly item: readonly (Folder | Item)[];
}

export interface Collection {
  readonly info: { readonly name: string; readonly description: string; readonly schema: string };
  readonly item: readonly Folder[];
  /** Run after each call. */
  readonly event: readonly [Script];
  readonly variable: readonly Pair[];
}

const description = `Every operation that a program calls, and the journey from sign-in to voucher in order.

Start the sandbox and send the calls of the journey from top to bottom; each keeps what the next ones need in variables of this
collection. The whole collection can be run, too, again and again: every call is carried out, and what takes something away comes last.
The last call goes back to the seed. The stream of the activity log is left out, since it has no end.

The variables start with the credentials of the demo workspace. For another seed or workspace, send "Show addresses, credentials and
settings" first; to call a server of your own, set CLIENT.`;

/** The collection. */
export function collection(): Collection {
  const bundles = new Map(called.map((api) => [api, readBundle(api)]));
  const all = [...bundles].flatMap(([api, bundle]) => callsOf(api, bundle));
  const named = (id: string): Item => {
    const found = all.find(({ operation }) => operation.operationId === id);
    if (found === undefined) throw new Error(`The collection names ${id}, and no contract has it.`);
    return itemOf(found);
  };
  const first: Folder = {
    name: 'Journey: from sign-in to voucher',
    description: 'Send these in order, or run the folder.',
    item: journey.map(named),
  };
  const last: Folder = {
    name: 'At the end: what takes something away',
    description: 'Deletes what the other folders made, and goes back to a snapshot and to the seed.',
    item: ending.map(named),
  };
  return {
    info: {
      name: 'Rewards sandbox',
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: [first, ...[...bundles].map(([api, bundle]) => folderOf(api, bundle, named)), last],
    event: [carriedOut],
    variable: variables(),
  };
}

/** The calls of a contract that end. */
function callsOf(api: string, bundle: Bundle): Called[] {
  return operationsOf(bundle)
    .filter(({ operation }) => operation.responses['200']?.content?.['text/event-stream'] === undefined)
    .map((found) => ({ ...found, api, bundle }));
}

/** A contract, with a folder for each of its tags, in the order of the contract, without what comes at the end. */
function folderOf(api: string, bundle: Bundle, named: (id: string) => Item): Folder {
  const calls = callsOf(api, bundle).filter(({ operation }) => !ending.includes(operation.operationId));
  const tags = bundle.tags.map(({ name, description: text }) => ({
    name,
    description: text,
    item: calls
      .filter(({ operation }) => operation.tags[0] === name)
      .flatMap((call) => [
        ...(demoValues[call.operation.operationId]?.before ?? []).map((id) => named(id)),
        itemOf(call),
      ]),
  }));
  // A tag of webhooks has no calls.
  const item = tags.filter((tag) => tag.item.length > 0);
  return { name: bundle.info.title, description: bundle.info.summary, item };
}

function itemOf(call: Called): Item {
  const { operation, method, path } = call;
  const given = givenOf(call);
  const values = demoValues[operation.operationId] ?? {};
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      header: [
        ...pairs(given, 'header', values),
        ...(given.body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: urlOf(path, given, values),
      auth: authOf(given.credential),
      ...(given.body !== undefined && { body: bodyOf(given.body, values) }),
    },
    ...(values.keeps && { event: [keeping(values.keeps)] as const }),
  };
}

function urlOf(path: string, given: Given, values: Values): Item['request']['url'] {
  const host = `{{${variableOf(given.baseUrl)}}}`;
  const parts = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  const query = pairs(given, 'query', values);
  const variable = pairs(given, 'path', values);
  const sent = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `${host}/${parts.join('/')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: [host],
    path: parts,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

/** The parameters of one place. Those that may be left out are there, switched off. */
function pairs({ parameters, optional }: Given, where: Parameter['in'], values: Values): Pair[] {
  return [...parameters, ...optional]
    .filter((parameter) => parameter.in === where)
    .map(({ name, example, required, description: text }) => ({
      key: name,
      value: values.parameters?.[name] ?? String(example),
      description: text,
      ...(required !== true && values.parameters?.[name] === undefined && { disabled: true as const }),
    }));
}

function bodyOf(example: unknown, { body }: Values): NonNullable<Item['request']['body']> {
  const raw = JSON.stringify(body === undefined ? example : { ...(example as object), ...body }, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

function authOf(credential: Given['credential']): Auth {
  if (credential === undefined) return { type: 'noauth' };
  const field = (key: string, value: string): Field => ({ key, value, type: 'string' });
  const token = `{{${credential.variable}}}`;
  if (credential.scheme === 'bearer') return { type: 'bearer', bearer: [field('token', token)] };
  if (credential.scheme === 'basic')
    return { type: 'basic', basic: [field('username', 'microsite'), field('password', '{{MICROSITE_PASSWORD}}')] };
  return { type: 'apikey', apikey: [field('key', 'Authorization'), field('value', token), field('in', 'header')] };
}

/** Fails a run where a call was refused. */
const carriedOut: Script = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["pm.test('it is carried out', () => pm.expect(pm.response.code).to.be.below(400));"],
  },
};

/** A script that keeps parts of a reply in variables. */
function keeping(keeps: NonNullable<Values['keeps']>): Script {
  const exec = [
    'const keep = (name, value) => value !== undefined && pm.collectionVariables.set(name, value);',
    'if (pm.response.code < 300) {',
    '  const reply = pm.response.json();',
    ...Object.entries(keeps).map(([name, part]) => `  keep('${name}', reply.${part});`),
    '}',
  ];
  return { listen: 'test', script: { type: 'text/javascript', exec } };
}

/** The variable that stands for an address of the sandbox. */
function variableOf(baseUrl: string): string {
  const name = new URL(baseUrl).pathname.split('/')[1];
  if (name === undefined || name === '') throw new Error(`${baseUrl} has no variable in the collection.`);
  return name.toUpperCase();
}

/** Addresses, and what the journey starts with: the demo workspace's credentials follow from its seed. */
function variables(): Pair[] {
  const { companySecret, serviceToken, basic, general, gatewayToken } = secretsOf(rootOf('demo'));
  const known = {
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
  const kept = Object.values(demoValues).flatMap(({ keeps = {} }) => Object.keys(keeps));
  const empty = Object.fromEntries(kept.map((name) => [name, '']));
  return Object.entries({ ...empty, ...known }).map(([key, value]) => ({ key, value }));
}
