/** Tests that the bundles for code generators have the same messages, in constructs that generators support (decision 053). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractsOf, interfaceContracts } from '../../sandbox/apis/registry.ts';
import { operationsIn } from '../../sandbox/contract/basis.ts';
import { at, contract, escapePointer, follow, type Node } from '../../sandbox/contract/document.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import { examples } from '../harness/contracts.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

const read = (api: string, file: string): Node =>
  JSON.parse(readFileSync(new URL(`../../generated/${api}/${file}`, import.meta.url), 'utf8'));
const isOfInterface = (api: string) => (interfaceContracts as readonly string[]).includes(api);
const bundles = contractsOf(({ calledBy }) => calledBy === 'programs').map((api) => ({
  api,
  before: read(api, isOfInterface(api) ? 'interface.json' : 'bundle.json'),
  after: read(api, 'generators.json'),
}));

/** Predicates for constructs in a contract that generators mishandle. */
const constructs: Readonly<Record<string, (node: Node) => boolean>> = {
  'a webhook': ({ webhooks }) => webhooks !== undefined,
  'a closed object': ({ additionalProperties }) => additionalProperties === false,
  'an object that is closed together with its parts': ({ unevaluatedProperties }) => unevaluatedProperties === false,
  'a constant boolean': ({ const: value }) => typeof value === 'boolean',
  'a constant integer': ({ const: value }) => typeof value === 'number',
  'a basis of keywords that the bundle may not have': (node) => node['x-basis-of'] !== undefined,
};

/** Constructs that no hand-written contract uses. */
const avoided: Readonly<Record<string, (node: Node) => boolean>> = {
  'a default without its type, such as next to a reference': ({ type, default: value }) =>
    type === undefined && value !== undefined && typeof value !== 'object',
  'an integer beyond 32 bits without format int64': ({ type, format, minimum = 0, maximum = 0 }) =>
    [type].flat().includes('integer') &&
    format !== 'int64' &&
    Math.max(Math.abs(Number(minimum)), Math.abs(Number(maximum))) >= 2 ** 31,
};

/** Returns the JSON pointers of a document's matching objects, excluding examples. */
function places(node: unknown, is: (node: Node) => boolean, pointer = ''): string[] {
  if (node === null || typeof node !== 'object') return [];
  const own = !Array.isArray(node) && is(node as Node) ? [pointer] : [];
  const inner = Object.entries(node).filter(([key]) => !['example', 'examples', 'value'].includes(key));
  return [...own, ...inner.flatMap(([key, part]) => places(part, is, `${pointer}/${escapePointer(key)}`))];
}

/** Returns the matching objects of all contracts or of all bundles for generators, each with the name of its contract. */
function placesIn(side: 'before' | 'after', is: (node: Node) => boolean): string[] {
  return bundles.flatMap((bundle) => places(bundle[side], is).map((place) => `${bundle.api} ${place}`));
}

it.each(Object.entries(constructs))('%s is in a hand-written contract, and in no bundle for generators', (_, is) => {
  expect(placesIn('before', is).length).toBeGreaterThan(0);
  expect(placesIn('after', is)).toEqual([]);
});

it.each(Object.entries(avoided))('%s is in no contract', (_, is) => {
  expect([...placesIn('before', is), ...placesIn('after', is)]).toEqual([]);
});

it('control: these constructs are detected', () => {
  const badDocument = {
    a: { allOf: [{ $ref: '#/b' }], default: 1 },
    b: { type: ['integer', 'null'], maximum: 2 ** 31 },
  };
  expect(Object.values(avoided).flatMap((is) => places(badDocument, is))).toEqual(['/a', '/b']);
});

it('no bundle for generators has a union in an interface contract or in a catalogue item', () => {
  const union = ({ oneOf, anyOf }: Node) => oneOf !== undefined || anyOf !== undefined;
  const isCovered = (place: string) => isOfInterface(place.split(' ')[0] ?? '') || /(Catalogue|Stock)Item$/.test(place);
  const unionsIn = (side: 'before' | 'after') => placesIn(side, union).filter(isCovered);
  expect(unionsIn('before')).toContain('rewards /components/schemas/CatalogueItem');
  expect(unionsIn('before')).toContain('sandbox /components/schemas/StockItem');
  expect(unionsIn('after')).toEqual([]);
});

it('every named schema of a bundle for generators has a type, its own or that of an object it extends', () => {
  const typeless = (side: 'before' | 'after') =>
    bundles.flatMap((bundle) => {
      const { schemas } = bundle[side].components as { schemas: Record<string, Node> };
      const extendsObject = ({ allOf }: Node) =>
        (allOf as Node[]).some(
          (part) =>
            (at(bundle[side], part.$ref === undefined ? '' : String(part.$ref).slice(1)) as Node).type === 'object',
        );
      return Object.entries(schemas).flatMap(([name, schema]) =>
        schema.type === undefined && schema.allOf !== undefined && !extendsObject(schema)
          ? [`${bundle.api} ${name}`]
          : [],
      );
    });
  expect(typeless('before')).toEqual(['v2-client DeductedPoints']);
  expect(typeless('after')).toEqual([]);
});

it('OP-140: whole points are 64 bits wide everywhere', () => {
  const points = /^(points|balance|totalEarned|totalRedeemed|redeemPoints|processingFee|totalPointWithProcessingFee)$/;
  const widths = bundles.flatMap(({ api, before }) => {
    const fields = places(before, ({ properties }) => properties !== undefined).flatMap((place) =>
      Object.keys(at(before, `${place}/properties`) as Node)
        .filter((name) => points.test(name))
        .map((name) => `${place}/properties/${name}`),
    );
    return fields.flatMap((place) => {
      const target = follow(before, place);
      const node = at(before, target) as Node;
      const { type, format } = (
        node.allOf === undefined ? node : at(before, follow(before, `${target}/allOf/0`))
      ) as Node;
      return [type].flat().includes('integer') ? [[`${api} ${place}`, format]] : [];
    });
  });
  expect(widths.length).toBeGreaterThan(15);
  expect(widths.filter(([, format]) => format !== 'int64')).toEqual([]);
});

describe.each(bundles)('$api', ({ api, before, after }) => {
  const generatorContract = contract(api, after);

  it('has the operations of its contract, each under an existing tag', () => {
    expect(generatorContract.operations.map(({ operationId }) => operationId)).toEqual(
      contract(api, before).operations.map(({ operationId }) => operationId),
    );
    const usedTags = operationsIn(after).flatMap((place) => (at(after, place) as { tags: string[] }).tags);
    const tags = (after.tags as readonly { name: string }[]).map(({ name }) => name);
    expect([...new Set(usedTags)].sort()).toEqual(tags.sort());
  });

  it('accepts every example of its contract', () => {
    const schemas = new Schemas(generatorContract);
    const all = examples(after);
    expect(all.length).toBeGreaterThan(0);
    expect(all.flatMap(({ where, schema, value }) => (schemas.check(schema)(value) ? [where] : []))).toEqual([]);
  });
});

it.each([
  ['rewards', 'CatalogueItem', []],
  ['v2-platform', 'CatalogueItem', []],
  ['sandbox', 'CatalogueItem', []],
  ['sandbox', 'StockItem', ['StockFields']],
] as const)('%s: %s has the fields of both kinds, and requires those that both require', (api, name, more) => {
  const { before, after } = bundles.find((bundle) => bundle.api === api) ?? expect.fail();
  const { schemas } = before.components as { schemas: Record<string, ObjectSchema> };
  const [egv, physical, ...others] = ['EgvFields', 'PhysicalFields', ...more].map((part) => schemas[part]);
  const fields = Object.assign({}, ...[egv, physical, ...others].map((part) => part?.properties));
  const flat = at(after, `/components/schemas/${name}`) as ObjectSchema;
  const product_type = { type: 'string', enum: ['EGV', 'PHYSICAL'] };
  expect(shapeOf(flat.properties)).toEqual(shapeOf({ ...fields, product_type }));
  const both = egv?.required.filter((field) => physical?.required.includes(field)) ?? [];
  expect(flat.required).toEqual([...both, ...others.flatMap((part) => part?.required ?? [])]);
});

type ObjectSchema = { readonly required: readonly string[]; readonly properties: Node };

/** Removes the basis of fields and this sandbox's limits, both of which generated code ignores. */
function shapeOf(fields: unknown): unknown {
  const ignored = ['x-basis-of', 'minimum', 'minLength'];
  return JSON.parse(JSON.stringify(fields, (key, value) => (ignored.includes(key) ? undefined : value)));
}

it('listing, order and wallet of the sandbox match the bundles', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const token = await sandbox.companyToken();
  const [v1, v2] = [sandbox.rewards(token), sandbox.v2Platform(token)];
  const placed = ok(await order(sandbox, {}));
  await advance(sandbox, 60);
  const wallet = ok(await v1.GET('/getwalletdetail', { params: { query: { uid: 'CUST0001' } } }));
  expect(wallet.data.length).toBeGreaterThan(0);
  const listed = ok(await v1.GET('/v1/partner/rewards', { params: { query: { limit: 200 } } }));
  expect(new Set(listed.items.map(({ product_type }) => product_type))).toEqual(new Set(['EGV', 'PHYSICAL']));
  const status = { params: { query: { order_id: placed.order_id } } };
  const bodies = [
    ['rewards', 'createRedemptionOrder', placed],
    ['rewards', 'getWalletDetail', wallet],
    ['rewards', 'listRewards', listed],
    ['v2-platform', 'listCatalog', ok(await v2.GET('/api/v1/catalog', {}))],
    ['v2-platform', 'getOrderStatus', ok(await v2.GET('/api/v1/orders/status', status))],
    ['sandbox', 'listCatalogue', ok(await control.GET('/catalogue'))],
  ] as const;
  for (const [api, operationId, body] of bodies) {
    const check = replyCheck(api, operationId);
    expect(check(body), operationId).toBeUndefined();
    expect(check({ ...body, items: [{}], lines: [{}], data: [{}] }), operationId).toBeDefined();
  }
});

/** Returns a validator for the body of an operation's success reply. */
function replyCheck(api: string, operationId: string) {
  const generatorContract = contract(api, read(api, 'generators.json'));
  const operation = generatorContract.operations.find((candidate) => candidate.operationId === operationId);
  const schema = operation?.replies.get(200)?.schema ?? expect.fail(`${operationId} has no reply`);
  return new Schemas(generatorContract).check(schema);
}
