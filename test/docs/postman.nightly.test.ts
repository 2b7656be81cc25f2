/** Tests the collection of all calls with Postman's own library. test/other-tools runs it with newman. */
import type { Collection, Item, ItemGroup } from 'postman-collection';
import { describe, expect, it } from 'vitest';
import { registry, type ServerName } from '../../sandbox/apis/registry.ts';
import { operationsOf, readBundle } from '../../tools/docs/bundles.ts';
import { called } from '../../tools/docs/collections/calls.ts';
import { collection } from '../../tools/docs/collections/postman.ts';
import { demoValues, ending, journey } from '../../tools/docs/demo-values.ts';
import { givenOf } from '../../tools/docs/request.ts';
import { example } from '../harness/exchanges.ts';
import { nightlyPackage } from '../harness/nightly-package.ts';
import { testSandbox } from '../harness/sandbox.ts';

const { default: sdk } = await nightlyPackage<{ default: { Collection: typeof Collection } }>('postman-collection');
const json = collection();

/** Two calls with an endless reply, one that only the reader of such a reply can make, and one that needs a certificate. */
const leftOut = ['streamActivity', 'openListener', 'postListenerReply', 'submitCertificate'];

/** Reads the collection with Postman's library. */
function read() {
  const parsed = new sdk.Collection(structuredClone(json) as object);
  const items: Item[] = [];
  parsed.forEachItem((item) => void items.push(item));
  return { parsed, items };
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

  it('has every operation of every contract that programs call, except streams and certificates, once: in the folder of its tag or at the end', () => {
    const all = called.flatMap((api) => operationsOf(readBundle(api)).map(({ operation }) => ({ api, operation })));
    const endless = all.filter(({ operation }) => operation.responses['200']?.content?.['text/event-stream']);
    expect(endless.map(({ operation }) => operation.operationId)).toEqual(['openListener', 'streamActivity']);
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
          .filter(({ operationId, tags }) => tags[0] === tag && ![...ending, ...leftOut].includes(operationId))
          .flatMap(({ operationId }) => [...(demoValues[operationId]?.before ?? []), operationId]);
      const tags = bundle.tags.map(({ name }) => ({ name, calls: of(name).map((id) => summaries.get(id)) }));
      // A tag for webhooks has no calls.
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
});

describe('at a sandbox', () => {
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

  it.each(['companyAuth', 'login'])('OP-158: the example of %s signs in', async (operationId) => {
    const { origin } = await testSandbox();
    const { server, path, method, request } = example(operationId);
    const { prefix } = registry[server as ServerName];
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${origin}${prefix}${path}`, { method, headers, body: JSON.stringify(request.body) });
    expect(response.status).toBe(200);
  });
});
