import type { SpanContext as OtelContext } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { maskUrl } from '../activity-log/masking.ts';
import type { EndedSpan } from '../runtime/spans.ts';
import { version } from '../version.ts';

/** Installation hint for the packages that tracing needs, in the versions that the project is tested with. */
export const tracingHint =
  'Install it with: npm install @opentelemetry/api@1.9.1 @opentelemetry/sdk-trace@2.12.1 @opentelemetry/resources@2.12.1 @opentelemetry/exporter-trace-otlp-http@0.223.1';

/** Maximum time for one export, retries included. A stopping sandbox waits for the last export. */
const longestExport = 2_000;

/** An exporter of spans with OTLP over HTTP. */
export interface Tracing {
  /** Queues a span of a workspace, or drops it if 2,048 are already queued. */
  readonly report: (span: EndedSpan, workspace: string) => void;
  /** Sends the queued spans, within two seconds per batch. */
  close(): Promise<void>;
}

/** Service names of the parties. Each party is a separate service, so that a trace shows the calls between them. */
const services = {
  client: 'rewards-client',
  platform: 'rewards-platform',
  vendor: 'rewards-vendor',
  sandbox: 'rewards-sandbox',
} as const satisfies Record<EndedSpan['party'], string>;

/**
 * Returns the address to which spans are sent, from the environment variables of OpenTelemetry, or `undefined` if none is set.
 *
 * @param env `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is the whole address; `/v1/traces` is added to `OTEL_EXPORTER_OTLP_ENDPOINT`
 */
export function tracesUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole = '', OTEL_EXPORTER_OTLP_ENDPOINT: base = '' } = env;
  if (whole !== '') return whole;
  return base === '' ? undefined : `${base}${base.endsWith('/') ? '' : '/'}v1/traces`;
}

/**
 * Loads OpenTelemetry, an optional peer dependency, and exports spans to an address. Resolves with `undefined` if it is not
 * installed. Rejects with a TypeError if `url` is not a URL.
 */
export async function openTracing(url: string, warn: (message: string) => void): Promise<Tracing | undefined> {
  const packages = await loaded();
  if (packages === undefined) return undefined;
  const { api, sdk, resources, otlp } = packages;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;
  const sender = new otlp.OTLPTraceExporter({ url: new URL(url).href, timeoutMillis: longestExport });
  const exporter = warnOnFailure(sender, url, warn);
  const processor = new sdk.BatchSpanProcessor({ exporter });
  const ids = { trace: '', span: '' };
  const idGenerator = { generateTraceId: () => ids.trace, generateSpanId: () => ids.span };
  const tracerOf = (name: string) => {
    const service = { 'service.name': name, 'service.namespace': 'rewards-sandbox', 'service.version': version };
    const resource = resources.resourceFromAttributes(service);
    return new sdk.TracerProvider({ resource, idGenerator, spanProcessors: [processor] }).getTracer('rewards-sandbox');
  };
  const tracers = new Map(Object.values(services).map((name) => [name, tracerOf(name)]));
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  const report = (ended: EndedSpan, workspace: string): void => {
    Object.assign(ids, { trace: ended.trace, span: ended.span });
    const { parent, name, kind, began, attributes, failure } = ended;
    const cause: OtelContext = {
      traceId: ended.trace,
      spanId: parent ?? '',
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    };
    const around = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, cause);
    const own = { ...attributes, 'rewards.workspace': workspace };
    const span = tracers
      .get(services[ended.party])
      ?.startSpan(name, { kind: kinds[kind], startTime: began, attributes: own }, around);
    if (failure !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span?.end(ended.ended);
  };
  // The exporter has already warned about a failure.
  return { report, close: () => processor.shutdown().catch(() => undefined) };
}

async function loaded() {
  try {
    const [api, sdk, resources, otlp] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    return { api, sdk, resources, otlp };
  } catch (error) {
    const { code, message = '' } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes('@opentelemetry')) return undefined;
    throw error;
  }
}

/** Wraps an exporter. Warns if spans cannot be sent, and not again until an export has succeeded. */
function warnOnFailure(exporter: SpanExporter, url: string, warn: (message: string) => void): SpanExporter {
  let hasFailed = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && !hasFailed) warn(`Cannot send traces to ${maskUrl(url)}: ${error.message}`);
        hasFailed = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
