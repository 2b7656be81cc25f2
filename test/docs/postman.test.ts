/**
 * The collection of all calls: Postman's own library reads it, the contracts allow every call, and the journey ends in
 * a voucher.
 */
import sdk, { type Item, type ItemGroup, type VariableList } from 'postman-collection';
import { beforeAll, describe, expect, it } from 'vitest';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { loadContractSet } from '../../sandbox/conformance/contracts.ts';
import { serverOf } from '../../sandbox/conformance/exchange.ts';
import { operationsOf, readBundle } from '../../tools/docs/bundles.ts';
import { demoValues } from '../../tools/docs/demo-values.ts';
import { called, collection } from '../../tools/docs/postman.ts';
import { givenOf } from '../../tools/docs/request.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const json = collection();
let checker: Checker;

beforeAll(async () => {
  checker = new Checker(await loadContractSet());
});

/** The collection as Postman's library reads it. */
function read() {
  const parsed = new sdk.Collection(structuredClone(json) as object);
  const items: Item[] = [];
  parsed.forEachItem((item) => void items.push(item));
  return { parsed, items };
}

/** Where a call goes, with which head and body, once variables are put in. */
function resolved(item: Item, variables: Variables) {
  const filled = sdk.Property.replaceSubstitutions(JSON.stringify(item.request.toJSON()), variables);
  const request = new sdk.Request(JSON.parse(filled));
  const headers = Object.fromEntries(
    request.headers.filter(({ disabled }) => disabled !== true, {}).map(({ key, value }) => [key, value]),
  );
  const given = request.auth?.parameters().toObject() as Record<string, string> | undefined;
  const forms: Record<string, () => string> = {
    bearer: () => `Bearer ${given?.token}`,
    basic: () => `Basic ${btoa(`${given?.username}:${given?.password}`)}`,
    apikey: () => `${given?.value}`,
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
type Call = ReturnType<typeof resolved>;

/** The operation that the contracts take a call for, and everything in it that breaks them. */
function checked({ method, url, headers, body }: Call) {
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

/** Sends a call and runs the script behind it, as Postman does. Returns the status. */
async function send(item: Item, call: Call, variables: Variables): Promise<number> {
  const { method, headers, body } = call;
  // A stream has no end; its head is all that is waited for.
  const response = await fetch(call.url, { method, headers, ...(body !== undefined && { body }) });
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (stream) await response.body?.cancel();
  const text = stream ? '' : await response.text();
  const pm = {
    response: { code: response.status, json: () => JSON.parse(text) },
    collectionVariables: { set: (key: string, value: string) => variables.upsert(new sdk.Variable({ key, value })) },
  };
  for (const event of item.events.all()) new Function('pm', event.script.toSource() ?? '')(pm);
  return response.status;
}

/** The variables of the collection, at the address of a sandbox. */
function variablesFor({ origin }: TestSandbox): Variables {
  const given = json.variable.map(({ key, value }) => ({ key, value: value.replace('http://127.0.0.1:4010', origin) }));
  return new sdk.Collection({ variable: given }).variables;
}

describe('the collection', () => {
  it("is read by Postman's library without a loss", () => {
    const { parsed, items } = read();
    const again = new sdk.Collection(parsed.toJSON());
    const names: string[] = [];
    again.forEachItem((item) => void names.push(item.name));
    expect(names).toEqual(items.map(({ name }) => name));
    expect(items.filter(({ request }) => request.url.toString() === '' || request.method === '')).toEqual([]);
  });

  it('has every operation of every contract that programs call, in the order of its tags, behind the journey', () => {
    const folders = read().parsed.items.all().slice(1) as ItemGroup<Item>[];
    const shown = folders.map(({ name, items }) => ({
      name,
      tags: items.all().map((folder) => ({
        name: folder.name,
        calls: (folder as ItemGroup<Item>).items.all().map((item) => item.name),
      })),
    }));
    const wanted = called.map((api) => {
      const bundle = readBundle(api);
      const of = (tag: string) => operationsOf(bundle).filter(({ operation }) => operation.tags[0] === tag);
      const tags = bundle.tags.map(({ name }) => ({ name, calls: of(name).map(({ operation }) => operation.summary) }));
      // A tag of webhooks has none.
      return { name: bundle.info.title, tags: tags.filter(({ calls }) => calls.length > 0) };
    });
    expect(shown).toEqual(wanted);
  });

  it('changes only parameters and fields that operations have', () => {
    const all = called.flatMap((api) => {
      const bundle = readBundle(api);
      return operationsOf(bundle).map((found) => ({ ...found, api, bundle }));
    });
    const stray = Object.entries(demoValues).flatMap(([id, { parameters = {}, body = {} }]) => {
      const one = all.find(({ operation }) => operation.operationId === id);
      const given = one === undefined ? undefined : givenOf(one);
      const names = [...(given?.parameters ?? []), ...(given?.optional ?? [])].map(({ name }) => name);
      const fields = Object.keys(given?.body ?? {});
      return [
        ...Object.keys(parameters).filter((name) => !names.includes(name)),
        ...Object.keys(body).filter((name) => !fields.includes(name)),
      ].map((name) => `${id}: ${name}`);
    });
    expect(stray).toEqual([]);
  });

  it('names no variable that it does not have', () => {
    const known = new Set(json.variable.map(({ key }) => key));
    const used = [...JSON.stringify(json.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    expect(used.length).toBeGreaterThan(60);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Calls that name what is not there any more, or never was: a code that is used up, what the call before removed. */
const refused = [
  'verifyOtp 422',
  'verifyOtp 422',
  'deleteWorkspace 404',
  'restoreSnapshot 404',
  'forkSnapshot 404',
  'deleteFault 404',
  'replayDelivery 404',
  'listWebhookDeliveries 404',
];

describe('sent to a sandbox', () => {
  it('starts with the credentials of the demo workspace', async () => {
    const { credentials } = await testSandbox();
    const values = Object.fromEntries(json.variable.map(({ key, value }) => [key, value]));
    expect(values).toMatchObject({
      COMPANY_SECRET: credentials.company_secret,
      MICROSITE_PASSWORD: credentials.basic.password,
      SERVICE_TOKEN: credentials.service_token,
      GENERAL_PASSWORD: credentials.general.password,
    });
  });

  it('the journey ends in vouchers; every other call keeps to its contract, and is carried out if what it names is there', async () => {
    const sandbox = await testSandbox();
    const variables = variablesFor(sandbox);
    const steps = json.item[0]?.item.length ?? 0;
    // A reset would take away what the journey made.
    const resets = ({ request }: Item) => request.url.getPath().endsWith('/reset');
    const items = [...read().items.filter((item) => !resets(item)), ...read().items.filter(resets)];
    const outcomes: { id: string; status: number }[] = [];
    for (const item of items) {
      const call = resolved(item, variables);
      const { id = item.name, wrong } = checked(call);
      expect({ name: item.name, wrong }).toEqual({ name: item.name, wrong: [] });
      outcomes.push({ id, status: await send(item, call, variables) });
    }
    expect(outcomes.slice(0, steps).map(({ status }) => status)).toEqual(Array(steps).fill(200));
    const failed = outcomes.filter(({ status }) => status >= 300).map(({ id, status }) => `${id} ${status}`);
    expect(failed).toEqual(refused);
  });
});
