/** Tests OTLP traces. Each redemption forms one tree across all parties and scheduled jobs. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openTracing, tracesUrl, tracingHint } from '../../sandbox/operator/tracing.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { serve } from '../harness/http-server.ts';
import { advance, voucher } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { walletOf } from '../harness/state.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = `00-${trace}-${callerSpan}-01`;

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number; readonly message?: string };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}
type Received = Span & { readonly service: string };

/** Starts a trace collector that exposes the received spans. */
async function collector(status = 200) {
  const spans: Received[] = [];
  const paths = new Set<string>();
  const origin = await serve((request, body, response) => {
    paths.add(request.url ?? '');
    for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map((span) => ({ ...span, service })));
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  return { origin, url: `${origin}/v1/traces`, spans, paths };
}

/** Runs `act` with a sandbox that sends its traces to this address, then closes both. Returns the milliseconds of closing the exporter. */
async function traced(
  url: string,
  act: (sandbox: TestSandbox) => Promise<unknown>,
  warn: (message: string) => void = expect.fail,
): Promise<number> {
  const tracing = await openTracing(url, warn);
  if (tracing === undefined) throw new Error('OpenTelemetry is not installed');
  const sandbox = await testSandbox({ onSpan: tracing.report });
  await act(sandbox);
  await sandbox.close();
  const began = performance.now();
  await tracing.close();
  return performance.now() - began;
}

/** Starts a sandbox with a webhook. `calls` has the trace id and the tracestate of each delivery, `change` makes one due. */
async function webhookTraces() {
  const calls: (string | undefined)[][] = [];
  const origin = await serve(({ headers }, _, response) => {
    calls.push([String(headers.traceparent).slice(3, 35), headers.tracestate as string | undefined]);
    response.end();
  });
  const sandbox = await testSandbox();
  const rewards = sandbox.rewards(await sandbox.companyToken());
  ok(await rewards.POST('/v1/partner/webhooks', { body: { url: `${origin}/hook` } }));
  const params = { path: { sku_code: voucher.sku } };
  const change = async (headers: Record<string, string>) => {
    ok(await sandbox.control.PATCH('/catalogue/{sku_code}', { params, body: { stock: 7 }, headers }));
    await advance(sandbox, 1);
  };
  return { calls, change };
}

const kinds = ['internal', 'internal', 'server', 'client'];

/** Returns the spans below a parent as indented lines, in the order of their start. */
function tree(spans: readonly Received[], parent: string, indent = ''): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .flatMap(({ service, name, kind, spanId }) => [
      `${indent}${service.replace('rewards-', '')} ${kinds[kind]} ${name}`,
      ...tree(spans, spanId, `${indent}  `),
    ]);
}

/** Compares spans by their start in whole milliseconds, then by name. */
const began = (one: Span, other: Span) =>
  Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)) || one.name.localeCompare(other.name);

/** Places an order in the trace of a caller. */
async function orderTraced(sandbox: TestSandbox) {
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const body = { uid: 'CUST0001', line_items: [voucher] };
  return rewards.POST('/v1/partner/redeemptiononskus', { body, headers: { traceparent } });
}

it('the trace of a redemption is one tree under the span of its caller: every call, attempt of a vendor and job', async () => {
  const { url, spans } = await collector();
  await traced(url, async (sandbox) => {
    ok(await orderTraced(sandbox));
    await advance(sandbox, 60);
  });
  const ours = spans.filter(({ traceId }) => traceId === trace).sort(began);
  const lines = tree(ours, callerSpan);
  expect(lines).toHaveLength(ours.length);
  expect(lines).toEqual([
    'platform server createRedemptionOrder',
    '  platform client getProfileAndPoints',
    '    client server getProfileAndPoints',
    '  platform client saveRedeemDetails',
    '    client server saveRedeemDetails',
    '  platform internal fulfilLine',
    '    vendor internal fulfil',
    '    platform internal reportStatus',
    '      platform client updateRedeemStatus',
    '        client server updateRedeemStatus',
    '          client internal sendVouchers',
    '            client client getWalletDetail',
    '              platform server getWalletDetail',
  ]);
  for (const span of ours) {
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    expect(span.status).toEqual({ code: 0 });
  }
  expect(ours.find(({ parentSpanId }) => parentSpanId === callerSpan)?.attributes).toEqual([
    { key: 'http.request.method', value: { stringValue: 'POST' } },
    { key: 'http.response.status_code', value: { intValue: 200 } },
    { key: 'rewards.workspace', value: { stringValue: 'demo' } },
  ]);
});

it('no span contains a secret, a customer or a code', async () => {
  const { url, spans } = await collector();
  const body = { customer_id: 'CUST0001', otp: '193847', reference_id: 'OTP000001-AAAAAAAA' };
  await traced(url, async (sandbox) => {
    await sandbox.auth.POST('/api/v1/auth/verify-otp', { body });
    await walletOf(sandbox);
  });
  expect(spans.map(({ name }) => name)).toContain('verifyOtp');
  expect(JSON.stringify(spans)).not.toMatch(/CUST0001|193847|eyJ|OTP000001/);
});

it('a call that got no reply is a failed span that says why', async () => {
  const { url, spans } = await collector();
  await traced(url, async (sandbox) => {
    ok(await sandbox.control.PATCH('/workspace', { body: { settings: { client_url: 'http://127.0.0.1:9' } } }));
    expect((await orderTraced(sandbox)).response.status).toBe(502);
  });
  const call = spans.find(({ kind, traceId }) => kinds[kind] === 'client' && traceId === trace);
  expect(call?.status).toEqual({ code: 2, message: expect.stringMatching(/\w/) });
  expect(call?.attributes).toContainEqual({ key: 'server.address', value: { stringValue: '127.0.0.1:9' } });
});

it('the tracestate of a caller is propagated, also by scheduled work; one that is too long is dropped', async () => {
  const { calls, change } = await webhookTraces();
  for (const tracestate of ['vendor=a1,other=b2', `long=${'x'.repeat(508)}`]) await change({ traceparent, tracestate });
  expect(calls).toEqual([
    [trace, 'vendor=a1,other=b2'],
    [trace, undefined],
  ]);
});

it('a collector that refuses causes one warning, without the password of its address, and stops nothing', async () => {
  const { url } = await collector(400);
  const warnings: string[] = [];
  const act = async (sandbox: TestSandbox) => {
    for (let call = 0; call < 3; call += 1) await sandbox.companyToken();
    ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards'));
  };
  await traced(url.replace('//', '//me:canary@'), act, (message) => warnings.push(message));
  const masked = url.replace('//', String.raw`//\*\*\*@`);
  expect(warnings).toEqual([expect.stringMatching(`^Cannot send traces to ${masked}: `)]);
});

it('a collector that never answers does not keep a sandbox from ending', async () => {
  const origin = await serve(() => undefined);
  const warnings: string[] = [];
  const act = async (sandbox: TestSandbox) =>
    ok(await sandbox.rewards(await sandbox.companyToken()).GET('/v1/partner/rewards'));
  expect(await traced(`${origin}/v1/traces`, act, (message) => warnings.push(message))).toBeLessThan(8_000);
  expect(warnings).toEqual([expect.stringMatching(`^Cannot send traces to ${origin}/v1/traces: `)]);
});

it('a traceparent with a zero trace or span starts a new trace, and a malformed tracestate is not propagated', async () => {
  const { calls, change } = await webhookTraces();
  await change({ traceparent: `00-${'0'.repeat(32)}-${callerSpan}-01`, tracestate: 'a=b' });
  await change({ traceparent: `00-${trace}-${'0'.repeat(16)}-01`, tracestate: 'a=b' });
  await change({ traceparent, tracestate: 'a=\u00e9' });
  const own = [expect.not.stringMatching(/^0+$/), undefined];
  expect(calls).toEqual([own, own, [trace, undefined]]);
  expect(calls.slice(0, 2).map(([one]) => one)).not.toContain(trace);
});

it('the hint and the image install the versions that the tests run with', async () => {
  const { devDependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const image = await readFile(new URL('../../examples/container/Dockerfile', import.meta.url), 'utf8');
  const packages = Object.entries(devDependencies).filter(([name]) => name.startsWith('@opentelemetry/'));
  expect(packages).toHaveLength(4);
  for (const text of [tracingHint, image]) {
    expect([...text.matchAll(/@opentelemetry\/\S+/g)].map(([each]) => each).sort()).toEqual(
      packages.map((one) => one.join('@')).sort(),
    );
  }
});

it('start sends traces to OTEL_EXPORTER_OTLP_ENDPOINT, and all of them before it ends', async () => {
  const { origin, spans, paths } = await collector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: origin };
  const command = inProcess(['start', '--port', '0', '--data', await temporaryFolder(), '--json'], env);
  const [, base = ''] = await command.saw(/"rewards":\s*"([^"]+)"/);
  expect((await fetch(`${base}/v1/partner/rewards`, { headers: { traceparent } })).status).toBe(401);
  command.stop();
  expect((await command.ended).code).toBe(0);
  expect([...paths]).toEqual(['/v1/traces']);
  expect(spans).toMatchObject([{ traceId: trace, parentSpanId: callerSpan, name: 'listRewards' }]);
});

it.each<[env: Record<string, string>, url: string | undefined]>([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }, 'http://collector:4318/v1/traces'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/traces' },
    'http://other/traces',
  ],
])('the environment %j sends traces to %s', (env, url) => {
  expect(tracesUrl(env)).toBe(url);
});

it('start refuses an endpoint that is not a URL', async () => {
  const command = inProcess(['start', '--port', '0'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
  });
  const { code, stderr } = await command.ended;
  expect(code).toBe(2);
  expect(stderr).toContain('must be a URL, not collector/v1/traces.');
});
