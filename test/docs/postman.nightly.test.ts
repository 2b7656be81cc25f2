/**
 * The collection of all calls: Postman's own library reads it, the contracts allow every call, and a run of it carries
 * out every call, as newman does.
 */
import sdk, { type Item, type ItemGroup, type VariableList } from 'postman-collection';
import { beforeAll, chai, describe, expect, it } from 'vitest';
import { registry, type ServerName } from '../../sandbox/apis/registry.ts';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { ownContracts } from '../../sandbox/conformance/contracts.ts';
import { serverOf } from '../../sandbox/conformance/exchange.ts';
import { operationsOf, readBundle } from '../../tools/docs/bundles.ts';
import { called } from '../../tools/docs/collections/calls.ts';
import { collection } from '../../tools/docs/collections/postman.ts';
import { demoValues, ending, journey } from '../../tools/docs/demo-values.ts';
import { givenOf } from '../../tools/docs/request.ts';
import { example } from '../harness/exchanges.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const json = collection();
let checker: Checker;

beforeAll(async () => {
  checker = new Checker(ownContracts());
});

/** The collection as Postman's library reads it. */
function read() {
  const parsed = new sdk.Collection(structuredClone(json) as object);
  const items: Item[] = [];
  parsed.forEachItem((item) => void items.push(item));
  return { parsed, items };
}

/** The method, address, headers and body of a call, with its variables filled in. */
function resolveCall(item: Item, variables: Variables) {
  const resolvedText = sdk.Property.replaceSubstitutions(JSON.stringify(item.request.toJSON()), variables);
  const request = new sdk.Request(JSON.parse(resolvedText));
  const headers = Object.fromEntries(
    request.headers.filter(({ disabled }) => disabled !== true, {}).map(({ key, value }) => [key, value]),
  );
  const credential = request.auth?.parameters().toObject() as Record<string, string> | undefined;
  const forms: Record<string, () => string> = {
    bearer: () => `Bearer ${credential?.token}`,
    basic: () => `Basic ${btoa(`${credential?.username}:${credential?.password}`)}`,
    apikey: () => `${credential?.value}`,
  };
  const authorization = forms[request.auth?.type ?? '']?.();
  const query = request.url.getQueryString();
  return {
    method: request.method,
    url: `${request.url.getHost()}${request.url.getPath()}${query === '' ? '' : `?${query}`}`,
    headers: { ...headers, ...(authorization !== undefined && { Authorization: authorization }) },
    body: request.body?.raw,
  };
}

type Variables = VariableList;
type Call = ReturnType<typeof resolveCall>;

/** The operation that a call matches in the contracts, and every violation in the call. */
function checkCall({ method, url, headers, body }: Call) {
  const { pathname, search } = new URL(url);
  const { server, below } = serverOf(pathname) ?? { server: 'rewards' as const, below: pathname };
  const bytes = { kind: 'bytes', bytes: Buffer.from(body ?? '') } as const;
  const request = { headers: Object.entries(headers), body: bytes };
  const { operation, findings } = checker.check({
    server,
    method,
    path: below + search,
    url,
    request,
    reply: undefined,
  });
  const wrong = findings.map(({ pointer, expected, actual }) => `${url} ${pointer}: ${expected}, found ${actual}`);
  return { id: operation?.operationId, wrong };
}

/** The scripts that the collection runs after each call. */
const everyCall = read().parsed.events.all();

/**
 * Sends a call and runs the scripts behind it, those of the collection first, as Postman does. Returns the status, and
 * what the scripts found wrong.
 */
async function send({ events, name }: Item, call: Call, variables: Variables) {
  const { method, headers, body } = call;
  // newman waits for the end of a reply, and for no longer than this.
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(call.url, { method, headers, signal, ...(body !== undefined && { body }) });
  const text = await response.text();
  const failed: string[] = [];
  const pm = {
    response: { code: response.status, json: () => JSON.parse(text) },
    collectionVariables: { set: (key: string, value: string) => variables.upsert(new sdk.Variable({ key, value })) },
    expect: chai.expect,
    test: (title: string, holds: () => void) => {
      try {
        holds();
      } catch (error) {
        failed.push(`${name}, ${title}: ${(error as Error).message} ${text.slice(0, 300)}`);
      }
    },
  };
  for (const event of [...everyCall, ...events.all()]) new Function('pm', event.script.toSource() ?? '')(pm);
  return { status: response.status, failed };
}

/** The variables of the collection, at the address of a sandbox. */
function variablesFor({ origin }: TestSandbox): Variables {
  const variable = json.variable.map(({ key, value }) => ({
    key,
    value: value.replace('http://127.0.0.1:4010', origin),
  }));
  return new sdk.Collection({ variable }).variables;
}

describe('the collection', () => {
  it("is read by Postman's library without loss", () => {
    const { parsed, items } = read();
    const again = new sdk.Collection(parsed.toJSON());
    const names: string[] = [];
    again.forEachItem((item) => void names.push(item.name));
    expect(names).toEqual(items.map(({ name }) => name));
    expect(items.filter(({ request }) => request.url.toString() === '' || request.method === '')).toEqual([]);
  });

  it('has every operation of every contract that programs call, except streams, once: in the folder of its tag or at the end', () => {
    const all = called.flatMap((api) => operationsOf(readBundle(api)).map(({ operation }) => ({ api, operation })));
    const endless = all.filter(({ operation }) => operation.responses['200']?.content?.['text/event-stream']);
    expect(endless.map(({ operation }) => operation.operationId)).toEqual(['streamActivity']);
    const summaries = new Map(all.map(({ operation }) => [operation.operationId, operation.summary]));
    const folders = read().parsed.items.all() as ItemGroup<Item>[];
    const actual = folders.slice(1, -1).map(({ name, items }) => ({
      name,
      tags: items.all().map((folder) => ({
        name: folder.name,
        calls: (folder as ItemGroup<Item>).items.all().map((item) => item.name),
      })),
    }));
    const expected = called.map((api) => {
      const bundle = readBundle(api);
      const of = (tag: string) =>
        operationsOf(bundle)
          .map(({ operation }) => operation)
          .filter(({ operationId, tags }) => tags[0] === tag && ![...ending, 'streamActivity'].includes(operationId))
          .flatMap(({ operationId }) => [...(demoValues[operationId]?.before ?? []), operationId]);
      const tags = bundle.tags.map(({ name }) => ({ name, calls: of(name).map((id) => summaries.get(id)) }));
      // A tag of webhooks has no calls.
      return { name: bundle.info.title, tags: tags.filter(({ calls }) => calls.length > 0) };
    });
    expect(actual).toEqual(expected);
    const [first, last] = [folders.at(0), folders.at(-1)].map((folder) => folder?.items.map(({ name }) => name, {}));
    expect(first).toEqual(journey.map((id) => summaries.get(id)));
    expect(last).toEqual(ending.map((id) => summaries.get(id)));
  });

  it('OP-157: calls that delete come at the end', () => {
    const deleting = called.flatMap((api) => operationsOf(readBundle(api)).filter(({ method }) => method === 'DELETE'));
    expect(deleting.length).toBeGreaterThan(5);
    expect(deleting.map(({ operation }) => operation.operationId).filter((id) => !ending.includes(id))).toEqual([]);
    const folders = collection().item.slice(0, -1);
    expect(JSON.stringify(folders)).not.toContain('"method":"DELETE"');
  });

  it('changes only parameters and fields that operations have', () => {
    const all = called.flatMap((api) => {
      const bundle = readBundle(api);
      return operationsOf(bundle).map((entry) => ({ ...entry, api, bundle }));
    });
    const stray = Object.entries(demoValues).flatMap(([id, { parameters = {}, body = {} }]) => {
      const one = all.find(({ operation }) => operation.operationId === id);
      const request = one === undefined ? undefined : givenOf(one);
      const names = [...(request?.parameters ?? []), ...(request?.optional ?? [])].map(({ name }) => name);
      const examples = one?.operation.requestBody?.content['application/json']?.examples ?? {};
      const fields = Object.values(examples).flatMap((each) =>
        'value' in each ? Object.keys(each.value as object) : [],
      );
      return [
        ...Object.keys(parameters).filter((name) => !names.includes(name)),
        ...Object.keys(body).filter((name) => !fields.includes(name)),
      ].map((name) => `${id}: ${name}`);
    });
    expect(stray).toEqual([]);
  });

  it('uses only variables that it defines', () => {
    const defined = new Set(json.variable.map(({ key }) => key));
    const used = [...JSON.stringify(json.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    expect(used.length).toBeGreaterThan(60);
    expect(used.filter((name) => !defined.has(name))).toEqual([]);
  });
});

describe('sent to a sandbox', () => {
  it('starts with the credentials of the demo workspace', async () => {
    const { credentials } = await testSandbox();
    const values = Object.fromEntries(json.variable.map(({ key, value }) => [key, value]));
    expect(values).toMatchObject({
      COMPANY_SECRET: credentials.company_secret,
      MICROSITE_PASSWORD: credentials.basic.password,
      SERVICE_TOKEN: credentials.service_token,
      GENERAL_PASSWORD: credentials.general.password,
      GATEWAY_TOKEN: credentials.gateway_token,
    });
  });

  it.each([
    ['twice on a frozen clock', 'frozen', 2, 0],
    ['once on a running clock', 'running', 1, 0],
    ['by hand, with ten seconds between two calls', 'frozen', 1, 10],
  ] as const)(
    'OP-157: a run carries out every call in order, each as its contract says: %s',
    { timeout: 120_000 },
    async (_how, clock, times, seconds) => {
      const sandbox = await testSandbox({ clock });
      const variables = variablesFor(sandbox);
      const { items } = read();
      for (const item of Array(times).fill(items).flat() as Item[]) {
        if (seconds > 0) ok(await sandbox.control.POST('/clock/advance', { body: { seconds } }));
        const call = resolveCall(item, variables);
        const { wrong } = checkCall(call);
        const { status, failed } = await send(item, call, variables);
        expect({ name: item.name, wrong, failed }).toEqual({ name: item.name, wrong: [], failed: [] });
        expect(status).toBeLessThan(300);
      }
    },
  );

  it.each(['companyAuth', 'login'])('OP-158: the example of %s signs in', async (operationId) => {
    const { origin } = await testSandbox();
    const { server, path, method, request } = example(operationId);
    const { prefix } = registry[server as ServerName];
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${origin}${prefix}${path}`, { method, headers, body: JSON.stringify(request.body) });
    expect(response.status).toBe(200);
  });

  it('a call that is refused fails the run', async () => {
    const sandbox = await testSandbox();
    const variables = variablesFor(sandbox);
    const item = read().items.find(({ name }) => name === 'Exchange the company secret for a token');
    if (item === undefined) throw new Error('the collection does not sign in');
    variables.upsert(new sdk.Variable({ key: 'COMPANY_SECRET', value: 'wrong' }));
    const { status, failed } = await send(item, resolveCall(item, variables), variables);
    expect({ status, failed }).toEqual({ status: 401, failed: [expect.stringContaining('it is carried out')] });
  });
});
