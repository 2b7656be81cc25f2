/** What each rule of the contracts rests on, and how much breaking it weighs (OP-90). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { interfaceContracts, servedContracts } from '../../sandbox/apis/registry.ts';
import {
  type Constraint,
  constraintsOf,
  idsOf,
  isStated,
  operationsIn,
  partsOf,
  weightOf,
} from '../../sandbox/contract/basis.ts';
import { at, bundleFiles, contract, type Edition, type Node } from '../../sandbox/contract/document.ts';
import { compileSchemas } from '../../sandbox/contract/schemas.ts';
import { registerIds } from '../../tools/docs/register.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Row extends Constraint {
  readonly operation: string;
  readonly kind: string;
}

/** Everything that a contract asks of a value, wherever the value is. */
function rowsOf(bundle: Node): readonly Row[] {
  return operationsIn(bundle).flatMap((pointer) => {
    const { operationId } = at(bundle, pointer) as { operationId: string };
    return partsOf(bundle, pointer).flatMap(({ kind, schemas, basis }) =>
      schemas
        .flatMap((schema) => constraintsOf(bundle, schema, basis))
        .map((constraint) => ({ ...constraint, operation: operationId, kind })),
    );
  });
}

/** The contracts in a form of theirs, by name. */
function form(names: readonly string[], edition: Edition): ReadonlyMap<string, readonly Row[]> {
  const rows = (api: string) => rowsOf(JSON.parse(read(`generated/${api}/${bundleFiles[edition]}`)));
  return new Map(names.map((api) => [api, rows(api)]));
}

/** As the sandbox keeps them, and, of those of the interface, as anybody does. */
const contracts = form(servedContracts, 'sandbox');
const anybodys = form(interfaceContracts, 'interface');

describe('OP-90: each rule of each contract has a basis', () => {
  const told = read('docs/interface.md').matchAll(/^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* /gm);
  const known = new Set([...registerIds, ...[...told].map(([, id]) => id)]);

  const forms = [...contracts, ...[...anybodys].map(([api, rows]) => [`${api}, interface`, rows] as const)];

  it.each(forms)('%s: statements and open points that there are', (_, rows) => {
    expect(rows.length).toBeGreaterThan(50);
    const named = new Set(rows.flatMap(({ basis }) => idsOf(basis)));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
  });

  /** The rules that a field is there, and of this type, are stated where the field is. */
  const ofFields = ['type', 'required', 'format'];
  const rule = 'components/schemas';
  const error = ['success', 'status', 'data/properties/code', 'data/properties/name', 'data/properties/status'];
  const page = [`${rule}/CatalogueItem/oneOf`];
  const text = `${rule}/NumberText/pattern`;
  const kinds = ['EgvFields', 'PhysicalFields'].map((name) => `${rule}/${name}/properties/product_type/const`);
  const stated: Readonly<Record<string, readonly string[]>> = {
    client: [
      ...error.map((name) => `${rule}/ClientError/properties/${name}/const`),
      ...['success/const', 'status/const'].map((name) => `${rule}/Done/properties/${name}`),
      `${rule}/OrderStatus/enum`,
      `${rule}/RedemptionRecord/properties/redeemStatus/const`,
    ],
    rewards: [
      'components/parameters/CatalogueType/schema/enum',
      'components/parameters/Limit/schema/maximum',
      `${rule}/CataloguePage/properties/items/maxItems`,
      `${rule}/FlatError/properties/status/maximum`,
      `${rule}/FlatError/properties/status/minimum`,
      `${rule}/LocalDateTime/pattern`,
      text,
      ...['success/const', 'status/const'].map((name) => `${rule}/Wallet/properties/${name}`),
      ...page,
      ...kinds,
      ...['name', 'status'].map((name) => `${rule}/ListingError/allOf/1/properties/${name}/const`),
    ],
    microsite: ['components/headers/EntryAddress/schema/pattern'],
  };

  it.each([...contracts])(
    'OP-105, OP-106, OP-107: %s: a limit is an assumption where no statement gives it',
    (api, rows) => {
      const limits = rows.filter(({ keyword, basis }) => isStated(basis) && !ofFields.includes(keyword));
      expect([...new Set(limits.map(({ rule: place }) => place.slice(1)))].sort()).toEqual(
        [...(stated[api] ?? [])].sort(),
      );
    },
  );

  it.each([...anybodys])(
    'OP-103: %s: what is stated is in both of its forms, and no overlay adds to it',
    (api, rows) => {
      const stated = (all: readonly Row[]) => [
        ...new Set(
          all
            .filter(({ basis }) => isStated(basis))
            .map(({ operation, kind, place, keyword, basis }) => [operation, kind, ...place, keyword, basis].join(' ')),
        ),
      ];
      expect(stated(rows).sort()).toEqual(stated(contracts.get(api) ?? []).sort());
    },
  );

  /** What values an assumed shape is known by, and what its text looks like. */
  const ofShapes = ['type', 'required', 'const', 'enum', 'format', 'oneOf'];
  const token = ['maxLength', 'minLength', 'pattern'].map((name) => `${rule}/TokenText/${name}`);
  /** What goes into a header must fit there (OP-80). */
  const assumed: Readonly<Record<string, readonly string[]>> = {
    rewards: [...token, text, 'webhooks/catalogueUpdated/post/parameters/1/schema/pattern'],
    client: [],
    auth: token,
    general: ['components/parameters/Limit/schema/maximum', text],
    'v2-platform': [
      'components/parameters/Limit/schema/maximum',
      `${rule}/CataloguePage/properties/items/maxItems`,
      text,
    ],
    'v2-client': token,
  };

  it.each(Object.entries(assumed))(
    'OP-105, OP-106, OP-107, OP-145: %s: limits that nobody stated are not in the form of the interface',
    (api, limits) => {
      const rows = anybodys.get(api) ?? [];
      expect(rows.length).toBeGreaterThan(50);
      const own = rows.filter(({ keyword, basis }) => !isStated(basis) && !ofShapes.includes(keyword));
      expect([...new Set(own.map(({ rule: place }) => place.slice(1)))].sort()).toEqual([...limits].sort());
    },
  );
});

/** The contract, the operation and its part, the place of the value, the keyword; what comes of a violation. */
// biome-ignore format: a row a line
const examples: readonly (readonly [api: string, operation: string, kind: string, place: string, keyword: string, basis: string, weight: string])[] = [
  ['client', 'getProfileAndPoints', 'parameter', '', 'type', 'stated B2', 'error'],
  ['client', 'getProfileAndPoints', 'parameter', '', 'maxLength', 'OP-106', 'warning'],
  ['client', 'getProfileAndPoints', 'reply', 'points/balance', 'type', 'stated R10', 'error'],
  ['client', 'getProfileAndPoints', 'reply', 'points/balance', 'required', 'stated R10', 'error'],
  ['client', 'getProfileAndPoints', 'reply', 'profile/pincode', 'type', 'stated R8', 'error'],
  ['client', 'getProfileAndPoints', 'reply', 'profile', 'additionalProperties', 'OP-105', 'warning'],
  ['client', 'getProfileAndPoints', 'header', '', 'pattern', 'OP-42', 'warning'],
  ['client', 'creditPoints', 'body', 'points', 'type', 'stated B4 R18', 'error'],
  ['client', 'creditPoints', 'body', 'points', 'pattern', 'OP-09', 'warning'],
  ['client', 'creditPoints', 'body', 'eventType', 'const', 'OP-25', 'warning'],
  ['client', 'creditPoints', 'reply', 'success', 'const', 'OP-16', 'warning'],
  ['client', 'creditPoints', 'reply', 'data/name', 'const', 'stated X1', 'error'],
  ['client', 'creditPoints', 'reply', 'data/status', 'maximum', 'OP-39', 'warning'],
  ['client', 'saveRedeemDetails', 'body', 'redeemPoints', 'type', 'stated R11 R12', 'error'],
  ['client', 'saveRedeemDetails', 'body', 'redeemPoints', 'pattern', 'OP-09', 'warning'],
  ['client', 'saveRedeemDetails', 'body', 'redeemStatus', 'const', 'stated R16 S2', 'error'],
  ['client', 'saveRedeemDetails', 'reply', 'status', 'const', 'stated B6', 'error'],
  ['client', 'updateRedeemStatus', 'body', 'status', 'enum', 'stated B10 S1 S2', 'error'],
  ['client', 'updateRedeemStatus', 'body', 'remark', 'maxLength', 'OP-106', 'warning'],
  ['auth', 'verifyOtp', 'body', 'otp', 'type', 'stated D5 D6', 'error'],
  ['auth', 'verifyOtp', 'body', 'otp', 'pattern', 'OP-18', 'warning'],
  ['auth', 'verifyOtp', 'reply', '', 'type', 'OP-18', 'warning'],
  ['auth', 'verifyOtp', 'reply', 'token', 'required', 'OP-18', 'warning'],
  ['auth', 'verifyOtp', 'reply', 'token', 'pattern', 'OP-80', 'warning'],
  ['auth', 'verifyOtp', 'reply', 'expires_in', 'required', 'OP-18', 'warning'],
  ['auth', 'verifyOtp', 'reply', 'data/name', 'const', 'OP-18', 'warning'],
  ['v2-client', 'redeemPoints', 'reply', 'data/status', 'const', 'OP-29', 'warning'],
  ['rewards', 'listRewards', 'reply', 'items/*/status', 'type', 'stated R1', 'error'],
  ['rewards', 'listRewards', 'reply', 'items/*/status', 'enum', 'OP-10', 'warning'],
  ['rewards', 'listRewards', 'reply', 'items/*/qty', 'pattern', 'stated R4', 'error'],
  ['rewards', 'listRewards', 'reply', 'items/*/qty', 'pattern', 'OP-09', 'warning'],
  ['rewards', 'listRewards', 'reply', 'items/*/qty', 'required', 'stated R4', 'error'],
  ['rewards', 'listRewards', 'reply', 'items/*/id', 'minimum', 'OP-107', 'warning'],
  ['rewards', 'getWalletDetail', 'reply', 'data/*/denomination', 'minimum', 'OP-107', 'warning'],
  ['rewards', 'getWalletDetail', 'reply', 'data/*/validityEndDate', 'pattern', 'stated R24', 'error'],
  ['general', 'getUserProfile', 'reply', 'points/balance', 'type', 'OP-28', 'warning'],
];

it.each(examples)('%s %s %s /%s %s: %s, %s', (api, operation, kind, place, keyword, basis, weight) => {
  const found = (contracts.get(api) ?? []).filter(
    (row) =>
      row.operation === operation && row.kind === kind && row.place.join('/') === place && row.keyword === keyword,
  );
  expect(found.map((row) => [row.basis, weightOf(row.basis)])).toContainEqual([basis, weight]);
});

/** What only the form of the sandbox has: others need not keep it, and the row is named to who goes beyond it here. */
// biome-ignore format: a row a line
const narrower: readonly (readonly [api: string, operation: string, kind: string, place: string, keyword: string, basis: string])[] = [
  ['client', 'getProfileAndPoints', 'parameter', '', 'maxLength', 'OP-106'],
  ['client', 'getProfileAndPoints', 'reply', 'profile', 'additionalProperties', 'OP-105'],
  ['client', 'creditPoints', 'body', 'eventType', 'const', 'OP-25'],
  ['client', 'creditPoints', 'body', 'points', 'pattern', 'OP-09'],
  ['client', 'creditPoints', 'body', 'paymentAmount', 'pattern', 'OP-48'],
  ['client', 'updateRedeemStatus', 'body', 'remark', 'maxLength', 'OP-106'],
  ['client', 'creditPoints', 'reply', 'data', 'additionalProperties', 'OP-105'],
  ['auth', 'verifyOtp', 'body', 'otp', 'pattern', 'OP-18'],
  ['auth', 'verifyOtp', 'body', 'reference_id', 'maxLength', 'OP-106'],
  ['rewards', 'companyAuth', 'body', 'secret', 'minLength', 'OP-106'],
  ['rewards', 'companyAuth', 'header', '', 'pattern', 'OP-42'],
  ['rewards', 'companyAuth', 'header', '', 'const', 'OP-137'],
  ['rewards', 'companyAuth', 'reply', 'expires_in', 'minimum', 'OP-02'],
  ['rewards', 'listRewards', 'parameter', '', 'minimum', 'OP-11'],
  ['rewards', 'listRewards', 'parameter', '', 'minLength', 'OP-12'],
  ['rewards', 'listRewards', 'parameter', '', 'maxLength', 'OP-12'],
  ['rewards', 'listRewards', 'reply', '', 'additionalProperties', 'OP-105'],
  ['rewards', 'listRewards', 'reply', 'items/*', 'unevaluatedProperties', 'OP-105'],
  ['rewards', 'listRewards', 'reply', 'items/*/id', 'minimum', 'OP-107'],
  ['rewards', 'listRewards', 'reply', 'items/*/status', 'enum', 'OP-10'],
  ['rewards', 'listRewards', 'reply', 'items/*/qty', 'pattern', 'OP-09'],
  ['rewards', 'listRewards', 'reply', 'items/*/price', 'pattern', 'OP-48'],
  ['rewards', 'createRedemptionOrder', 'body', 'line_items/*/quantity', 'maximum', 'OP-05'],
  ['rewards', 'createRedemptionOrder', 'body', 'line_items', 'maxItems', 'OP-05'],
  ['rewards', 'createRedemptionOrder', 'body', 'mobile_no', 'pattern', 'OP-132'],
  ['rewards', 'createRedemptionOrder', 'parameter', '', 'maxLength', 'OP-20'],
  ['rewards', 'createRedemptionOrder', 'reply', '', 'additionalProperties', 'OP-105'],
  ['rewards', 'getWalletDetail', 'reply', 'data/*/faceValue', 'minimum', 'OP-107'],
  ['rewards', 'sendPaymentEvent', 'body', 'eventType', 'const', 'OP-25'],
  ['rewards', 'registerWebhook', 'body', 'url', 'maxLength', 'OP-26'],
  ['v2-client', 'redeemPoints', 'body', 'points', 'maximum', 'OP-107'],
  ['v2-client', 'redeemPoints', 'body', 'order_id', 'maxLength', 'OP-29'],
  ['v2-client', 'reversePoints', 'body', 'redeem_code', 'maxLength', 'OP-29'],
  ['v2-client', 'reversePoints', 'body', 'reason', 'maxLength', 'OP-29'],
  ['v2-platform', 'listCatalog', 'reply', 'items/*/status', 'enum', 'OP-10'],
  ['v2-platform', 'createOrder', 'body', 'line_items', 'maxItems', 'OP-05'],
  ['v2-platform', 'createOrder', 'reply', '', 'additionalProperties', 'OP-105'],
  ['v2-platform', 'getOrderStatus', 'parameter', '', 'maxLength', 'OP-29'],
  ['general', 'login', 'body', 'username', 'maxLength', 'OP-53'],
  ['general', 'listProducts', 'parameter', '', 'minimum', 'OP-28'],
  ['general', 'listProducts', 'reply', 'total', 'minimum', 'OP-28'],
];

it.each(narrower)('OP-103, OP-145: %s %s %s /%s %s is the limit of this sandbox only: %s', (...row) => {
  const [api, operation, kind, place, keyword, basis] = row;
  const found = (forms: ReadonlyMap<string, readonly Row[]>) =>
    (forms.get(api) ?? [])
      .filter((rule) => rule.operation === operation && rule.kind === kind && rule.place.join('/') === place)
      .filter((rule) => rule.keyword === keyword && rule.basis === basis);
  expect(found(contracts)).not.toEqual([]);
  expect(found(anybodys)).toEqual([]);
});

describe('the nearest says what a rule rests on', () => {
  const reply = (schema: Node, components: Node = {}): Node => ({
    paths: {
      '/x': {
        get: {
          operationId: 'x',
          'x-hosted-by': 'client',
          'x-basis': 'stated A1',
          responses: { '200': { content: { 'application/json': { schema } } } },
        },
      },
    },
    components: { schemas: components },
  });
  const short = { type: 'string', maxLength: 9 };
  const told = (bundle: Node) =>
    rowsOf(bundle).map(({ place, keyword, basis }) => `/${place.join('/')} ${keyword}: ${basis}`);

  it.each<[title: string, bundle: Node, rules: readonly string[]]>([
    ['the operation, where nothing nearer does', reply(short), ['/ type: stated A1', '/ maxLength: stated A1']],
    ['the schema', reply({ ...short, 'x-basis': 'OP-02' }), ['/ type: OP-02', '/ maxLength: OP-02']],
    [
      'the keyword, before its schema',
      reply({ ...short, 'x-basis-of': { maxLength: 'OP-02' } }),
      ['/ type: stated A1', '/ maxLength: OP-02'],
    ],
    [
      'the schema that is referred to, before the reference',
      reply({ $ref: '#/components/schemas/S', 'x-basis': 'OP-02' }, { S: { ...short, 'x-basis': 'OP-03' } }),
      ['/ type: OP-03', '/ maxLength: OP-03'],
    ],
    [
      'the reference, where the schema does not',
      reply({ $ref: '#/components/schemas/S', 'x-basis': 'OP-02' }, { S: short }),
      ['/ type: OP-02', '/ maxLength: OP-02'],
    ],
    [
      'the field, of its being there too',
      reply({ required: ['a', 'b'], properties: { a: { type: 'string', 'x-basis': 'OP-02' }, b: {} } }),
      ['/a required: OP-02', '/b required: stated A1', '/a type: OP-02'],
    ],
    [
      'the keyword required, before the field',
      reply({ required: ['a'], properties: { a: { 'x-basis': 'OP-02' } }, 'x-basis-of': { required: 'OP-04' } }),
      ['/a required: OP-04'],
    ],
    [
      'once, of a schema within itself',
      reply(
        { $ref: '#/components/schemas/S' },
        { S: { type: 'object', properties: { s: { $ref: '#/components/schemas/S' } } } },
      ),
      ['/ type: stated A1'],
    ],
    [
      'a closed object refuses, an open one does not',
      reply({ additionalProperties: false, allOf: [{ additionalProperties: { minLength: 1 } }] }),
      ['/ additionalProperties: stated A1', '/* minLength: stated A1'],
    ],
  ])('%s', (_, bundle, rules) => {
    expect(told(bundle)).toEqual(rules);
  });

  it.each<[title: string, annotation: Node]>([
    ['a basis that is no reference', { 'x-basis': 'somebody said so' }],
    ['a keyword with such a basis', { 'x-basis-of': { type: 'OP-1' } }],
    ['no keyword at all', { 'x-basis-of': {} }],
  ])('a schema with %s does not compile', (_, annotation) => {
    const spoilt = contract('client', reply({ type: 'string', ...annotation }));
    expect(() => compileSchemas(spoilt)).toThrow('does not compile');
    expect(() => compileSchemas(contract('client', reply({ type: 'string', 'x-basis': 'OP-02' })))).not.toThrow();
  });
});
