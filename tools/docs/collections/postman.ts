/** Exports all calls as a collection in the Postman 2.1 format, which Insomnia and Hoppscotch also read. */
import { allCalls, type Call, type Calls, type Credential, type Group, isGroup, type Value } from './calls.ts';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: true;
}

/** A call as Postman stores it. */
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

/** A script that runs after a call. */
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
  /** Scripts that run after each call. */
  readonly event: readonly Script[];
  readonly variable: readonly Pair[];
}

/**
 * Returns calls as a Postman collection with a script after each call. The default script expects a status below 400.
 */
export function collection(
  { name, description, groups, variables }: Calls = allCalls(),
  event: readonly Script[] = [carriedOut],
): Collection {
  return {
    info: { name, description, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: groups.map(folderOf),
    event,
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  };
}

function folderOf({ name, description, parts }: Group): Folder {
  return { name, description, item: parts.map((part) => (isGroup(part) ? folderOf(part) : itemOf(part))) };
}

function itemOf(call: Call): Item {
  const { name, description, method, headers, credential, body } = call;
  const exec = [...expecting(call), ...keeping(call)];
  return {
    name,
    request: {
      method,
      description,
      header: headers.map(pairOf),
      url: urlOf(call),
      auth: authOf(credential),
      ...(body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
    ...(exec.length > 0 && { event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] as const }),
  };
}

function urlOf({ base, path, query, inPath }: Call): Item['request']['url'] {
  const host = `{{${base}}}`;
  const parts = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  const sent = query.filter((one) => one.sent).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `${host}/${parts.join('/')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: [host],
    path: parts,
    ...(query.length > 0 && { query: query.map(pairOf) }),
    ...(inPath.length > 0 && { variable: inPath.map(pairOf) }),
  };
}

function pairOf({ sent, ...pair }: Value): Pair {
  return { ...pair, ...(!sent && { disabled: true }) };
}

function authOf(credential: Credential | undefined): Auth {
  const field = (key: string, value: string): Field => ({ key, value, type: 'string' });
  if (credential === undefined) return { type: 'noauth' };
  if (credential.scheme === 'basic')
    return { type: 'basic', basic: [field('username', credential.user), field('password', credential.password)] };
  const { scheme, token } = credential;
  if (scheme === 'bearer') return { type: 'bearer', bearer: [field('token', token)] };
  return { type: 'apikey', apikey: [field('key', 'Authorization'), field('value', token), field('in', 'header')] };
}

/** A test that fails the run if a call is refused. */
const carriedOut: Script = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["pm.test('it is carried out', () => pm.expect(pm.response.code).to.be.below(400));"],
  },
};

/** Returns the script lines that compare a reply with its call's expectation. */
function expecting({ expects }: Call): string[] {
  if (expects === undefined) return [];
  const { status, values = {} } = expects;
  return [
    `pm.test('status ${status}', () => pm.expect(pm.response.code).to.eql(${status}));`,
    ...Object.entries(values).map(
      ([part, value]) =>
        `pm.test('${part}', () => pm.expect(pm.response.json().${part}).to.eql(${JSON.stringify(value)}));`,
    ),
  ];
}

/** Returns the script lines that save parts of a reply in variables. */
function keeping({ keeps }: Call): string[] {
  if (Object.keys(keeps).length === 0) return [];
  return [
    'const keep = (name, value) => value !== undefined && pm.collectionVariables.set(name, value);',
    'if (pm.response.code < 300) {',
    '  const reply = pm.response.json();',
    ...Object.entries(keeps).map(([name, part]) => `  keep('${name}', reply.${part});`),
    '}',
  ];
}
