/** Tests a client that updates its copy of the catalogue by webhook, despite a failing receiver and a removed item (OP-26, OP-85). */
import { expect, it } from 'vitest';
import { serve } from '../harness/http-server.ts';
import { advance } from '../harness/orders.ts';
import { proxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';

interface CatalogueEvent {
  readonly data: {
    readonly items: readonly { readonly change: string; readonly item: { readonly sku_code: string } }[];
  };
}

it('registers, misses an event, receives it on retry, follows every change, and unregisters', async () => {
  const sandbox = await proxiedSandbox();
  const { control } = sandbox;
  const rewards = sandbox.rewards(await sandbox.companyToken());

  // The receiver is down for the first event.
  let down = true;
  const changes: string[] = [];
  const receiver = await serve((_, body, response) => {
    const { data } = JSON.parse(body) as CatalogueEvent;
    if (!down) changes.push(...data.items.map(({ change, item }) => `${change} ${item.sku_code}`));
    response.writeHead(down ? 500 : 204).end();
  });
  const url = sandbox.proxy.webhooksTo(receiver);
  const { webhook_id } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  expect(ok(await rewards.GET('/v1/partner/webhooks')).items).toMatchObject([{ webhook_id, url }]);

  const sku_code = 'EGV-MONSOON-250';
  const added = {
    sku_code,
    product_type: 'EGV',
    skus: 'Monsoon Books e-gift voucher 250',
    denomination_value: '250',
  } as const;
  ok(await control.POST('/catalogue', { body: added }));
  await advance(sandbox, 0);
  expect(changes).toEqual([]);

  // Five seconds later, the receiver is up. It receives the missed event and all later ones.
  down = false;
  await advance(sandbox, 5);
  ok(await control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body: { stock: 3 } }));
  ok(await control.POST('/triggers/catalogue_change', { body: { sku_code } }));
  expect((await control.DELETE('/catalogue/{sku_code}', { params: { path: { sku_code } } })).response.status).toBe(204);
  await advance(sandbox, 0);
  expect(changes.toSorted()).toEqual(
    ['created', 'removed', 'updated', 'updated'].map((change) => `${change} ${sku_code}`),
  );
  expect(ok(await control.GET('/catalogue')).items.map((item) => item.sku_code)).not.toContain(sku_code);

  const tested = ok(await control.POST('/triggers/webhook_test', { body: { webhook_id } }));
  expect(tested).toEqual({ webhook_id, url, message: 'right', status: 204, reason: null });

  const path = { webhook_id };
  const log = ok(await control.GET('/webhooks/{webhook_id}/deliveries', { params: { path } })).items;
  expect(log.map(({ status, state }) => [status, state])).toEqual([
    [500, 'retrying'],
    ...Array.from({ length: 4 }, () => [204, 'delivered']),
  ]);
  const removal = await rewards.DELETE('/v1/partner/webhooks', { params: { query: { webhook_id } } });
  expect([removal.response.status, ok(await rewards.GET('/v1/partner/webhooks'))]).toEqual([204, { items: [] }]);
});

it('OP-89: reads a page once through each of three operations, then only checks whether it has changed', async () => {
  const sandbox = await proxiedSandbox();
  const { control, rewards, v2Platform, general } = sandbox;
  const company = await sandbox.companyToken();
  const login = { username: 'CUST0001', password: sandbox.credentials.general.password };
  const { access_token } = ok(await general().POST('/v1/auth/login', { body: login }));
  const query = { limit: 5 } as const;
  type PageOptions = { params: { query: typeof query; header?: { 'If-None-Match': string } } };
  const readers = [
    (options: PageOptions) => rewards(company).GET('/v1/partner/rewards', options),
    (options: PageOptions) => v2Platform(company).GET('/api/v1/catalog', options),
    (options: PageOptions) => general(access_token).GET('/v1/products', options),
  ];
  for (const [stock, read] of readers.entries()) {
    const first = await read({ params: { query } });
    const tag = first.response.headers.get('etag') ?? '';
    const conditional = { params: { query, header: { 'If-None-Match': tag } } };
    expect([first.response.status, (await read(conditional)).response.status]).toEqual([200, 304]);
    const path = { sku_code: 'EGV-SPICE-100' };
    ok(await control.PATCH('/catalogue/{sku_code}', { params: { path }, body: { stock } }));
    expect((await read(conditional)).data?.items[0]).toMatchObject({ sku_code: 'EGV-SPICE-100', qty: String(stock) });
  }
});
