/** Tests the basis of each contract rule, and the severity of a violation (OP-90). */
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

/** Returns every constraint on a value in a contract. */
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

/** Returns the rows of each contract in one edition, by contract name. */
function rowsByContract(names: readonly string[], edition: Edition): ReadonlyMap<string, readonly Row[]> {
  const rows = (api: string) => rowsOf(JSON.parse(read(`generated/${api}/${bundleFiles[edition]}`)));
  return new Map(names.map((api) => [api, rows(api)]));
}

/** The contracts in the sandbox edition, and in the interface edition, which also binds other implementations. */
const contracts = rowsByContract(servedContracts, 'sandbox');
const interfaceRows = rowsByContract(interfaceContracts, 'interface');

describe('OP-90: each rule of each contract has a basis', () => {
  const statementMatches = read('docs/interface.md').matchAll(/^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* /gm);
  const basisIds = new Set([...registerIds, ...[...statementMatches].map(([, id]) => id)]);

  const forms = [...contracts, ...[...interfaceRows].map(([api, rows]) => [`${api}, interface`, rows] as const)];

  it.each(forms)('%s: existing statements and open points', (_, rows) => {
    expect(rows.length).toBeGreaterThan(50);
    const named = new Set(rows.flatMap(({ basis }) => idsOf(basis)));
    expect([...named].filter((id) => !basisIds.has(id))).toEqual([]);
  });

  /** If a field is stated, its presence and type are stated too. */
  const fieldKeywords = ['type', 'required', 'format'];
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
      const limits = rows.filter(({ keyword, basis }) => isStated(basis) && !fieldKeywords.includes(keyword));
      expect([...new Set(limits.map(({ rule: place }) => place.slice(1)))].sort()).toEqual(
        [...(stated[api] ?? [])].sort(),
      );
    },
  );

  it.each([...interfaceRows])(
    'OP-103: %s: both editions have the same stated rules: no overlay adds one',
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

  /** The keywords that define an assumed structure. */
  const shapeKeywords = ['type', 'required', 'const', 'enum', 'format', 'oneOf'];
  const token = ['maxLength', 'minLength', 'pattern'].map((name) => `${rule}/TokenText/${name}`);
  /** Assumed limits in the interface edition: values used in a header must fit there (OP-80). */
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
    'OP-105, OP-106, OP-107, OP-145: %s: the interface edition has no other assumed limits',
    (api, limits) => {
      const rows = interfaceRows.get(api) ?? [];
      expect(rows.length).toBeGreaterThan(50);
      const own = rows.filter(({ keyword, basis }) => !isStated(basis) && !shapeKeywords.includes(keyword));
      expect([...new Set(own.map(({ rule: place }) => place.slice(1)))].sort()).toEqual([...limits].sort());
    },
  );
});

/** The contract, operation, part, value path and keyword of a constraint, with its basis and the severity of a violation. */
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
  const matches = (contracts.get(api) ?? []).filter(
    (row) =>
      row.operation === operation && row.kind === kind && row.place.join('/') === place && row.keyword === keyword,
  );
  expect(matches.map((row) => [row.basis, weightOf(row.basis)])).toContainEqual([basis, weight]);
});

describe('the nearest basis applies to a rule', () => {
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
  const describeRules = (bundle: Node) =>
    rowsOf(bundle).map(({ place, keyword, basis }) => `/${place.join('/')} ${keyword}: ${basis}`);

  it.each<[title: string, bundle: Node, rules: readonly string[]]>([
    ['of the operation, if nothing nearer has one', reply(short), ['/ type: stated A1', '/ maxLength: stated A1']],
    ['of the schema', reply({ ...short, 'x-basis': 'OP-02' }), ['/ type: OP-02', '/ maxLength: OP-02']],
    [
      'of the keyword, before its schema',
      reply({ ...short, 'x-basis-of': { maxLength: 'OP-02' } }),
      ['/ type: stated A1', '/ maxLength: OP-02'],
    ],
    [
      'of the referenced schema, before the reference',
      reply({ $ref: '#/components/schemas/S', 'x-basis': 'OP-02' }, { S: { ...short, 'x-basis': 'OP-03' } }),
      ['/ type: OP-03', '/ maxLength: OP-03'],
    ],
    [
      'of the reference, if the schema has none',
      reply({ $ref: '#/components/schemas/S', 'x-basis': 'OP-02' }, { S: short }),
      ['/ type: OP-02', '/ maxLength: OP-02'],
    ],
    [
      'of the field, also for its presence',
      reply({ required: ['a', 'b'], properties: { a: { type: 'string', 'x-basis': 'OP-02' }, b: {} } }),
      ['/a required: OP-02', '/b required: stated A1', '/a type: OP-02'],
    ],
    [
      'of the keyword required, before the field',
      reply({ required: ['a'], properties: { a: { 'x-basis': 'OP-02' } }, 'x-basis-of': { required: 'OP-04' } }),
      ['/a required: OP-04'],
    ],
    [
      'once, for a recursive schema',
      reply(
        { $ref: '#/components/schemas/S' },
        { S: { type: 'object', properties: { s: { $ref: '#/components/schemas/S' } } } },
      ),
      ['/ type: stated A1'],
    ],
    [
      'of additionalProperties: false, and of a schema of additional properties',
      reply({ additionalProperties: false, allOf: [{ additionalProperties: { minLength: 1 } }] }),
      ['/ additionalProperties: stated A1', '/* minLength: stated A1'],
    ],
  ])('%s', (_, bundle, rules) => {
    expect(describeRules(bundle)).toEqual(rules);
  });

  it.each<[title: string, annotation: Node]>([
    ['an invalid basis', { 'x-basis': 'somebody said so' }],
    ['an invalid basis of a keyword', { 'x-basis-of': { type: 'OP-1' } }],
    ['bases of no keyword', { 'x-basis-of': {} }],
  ])('a schema with %s does not compile', (_, annotation) => {
    const invalid = contract('client', reply({ type: 'string', ...annotation }));
    expect(() => compileSchemas(invalid)).toThrow('does not compile');
    expect(() => compileSchemas(contract('client', reply({ type: 'string', 'x-basis': 'OP-02' })))).not.toThrow();
  });
});
