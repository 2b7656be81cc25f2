/** The five forms in which a recording reaches the checker. All of them contain the same requests and replies. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { FindingCollector, type Report } from '../../../sandbox/conformance/finding-collector.ts';
import { startProxy } from '../../../sandbox/proxy/proxy.ts';
import { closesWithTest, httpServer } from '../../harness/http-server.ts';
import { sharedChecker } from '../../harness/proxy.ts';
import { checkText, exchangeOf } from './check.ts';
import { type Call, entryOf, harOf } from './recording.ts';
import { writeDown } from './styles.ts';

/** Exports the calls as a newman run. newman makes calls one after another and records no times. */
export function newmanExport(calls: readonly Call[]): string {
  const executions = calls.map((one) => {
    const { request, response } = entryOf(one);
    const url = new URL(request.url);
    const pairs = (list: readonly { name: string; value: string }[]) =>
      list.map(({ name, value }) => ({ key: name, value }));
    const { postData } = request as { postData?: { text: string } };
    return {
      request: {
        method: request.method,
        url: {
          protocol: url.protocol.slice(0, -1),
          host: url.hostname.split('.'),
          ...(url.port !== '' && { port: url.port }),
          path: url.pathname.slice(1).split('/'),
          query: [...url.searchParams].map(([key, value]) => ({ key, value })),
        },
        header: pairs(request.headers),
        ...(postData !== undefined && { body: { mode: 'raw', raw: postData.text } }),
      },
      response: {
        code: response.status,
        header: pairs(response.headers),
        stream: { type: 'Buffer', data: [...Buffer.from(response.content.text ?? '')] },
        responseSize: response.content.size,
      },
    };
  });
  return JSON.stringify({ run: { executions } });
}

/** Exports the calls as a sandbox's activity log, with their recorded findings. With a frozen clock, all times are equal. */
export function exported(calls: readonly Call[], frozen = false): string {
  const items = calls.map((one, index) => {
    const [began, at] = (frozen ? [0, 0] : [one.start, one.end]).map((time) => new Date(time).toISOString());
    const { operation, method, query, status = null, body: request = null, reply = null } = one;
    const url = `http://client-one.example${one.path}?${new URLSearchParams(query)}`;
    const findings = recordedIn(one);
    return {
      kind: 'call_out',
      trace: String(index),
      operation,
      method,
      url,
      began,
      at,
      status,
      request,
      reply,
      findings,
    };
  });
  return JSON.stringify({ items });
}

/** Returns the findings that the sandbox records when it logs a call, including its headers. */
function recordedIn(one: Call) {
  const { findings } = sharedChecker().check(exchangeOf(one));
  const recorded = findings.filter(({ severity }) => severity !== 'notice');
  return recorded.map(({ operation: _, method: _m, url: _u, status: _s, trace: _t, times: _n, ...found }) => found);
}

function checked(text: string): Promise<Report> {
  const client = [new URL('http://client-one.example'), new URL('http://127.0.0.1:4010/client')];
  return checkText(text, { addresses: { client }, complete: true });
}

/**
 * Replays the calls through a proxy in front of a server that sends the recorded replies. Nested calls run while the outer call waits for
 * its reply. The proxy's clock shows the recorded times.
 */
async function proxied(calls: readonly Call[]): Promise<Report> {
  const book = new FindingCollector(sharedChecker(), 'proxy', '0.0.0', undefined, { complete: true, oneClock: true });
  let time = 0;
  const answers = new Map<string, (response: ServerResponse) => Promise<void>>();
  const upstream = await httpServer((incoming: IncomingMessage, response) => {
    incoming.resume().once('end', () => void answers.get(String(incoming.headers['x-number']))?.(response));
  });
  const settings = { host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 5000 } as const;
  const proxy = await startProxy(sharedChecker(), book, { ...settings, sandbox: upstream, now: () => time });
  closesWithTest(() => proxy.close());

  const waiting = calls.toSorted((one, other) => one.start - other.start);
  const within = (outer: Call) => {
    const index = waiting.findIndex(({ start, end }) => start > outer.start && end < outer.end);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  const make = (one: Call, number: number): Promise<void> => {
    const { request, response: recorded } = entryOf(one);
    const { postData } = request as { postData?: { text: string } };
    time = one.start;
    answers.set(String(number), async (response) => {
      for (let inner = within(one); inner !== undefined; inner = within(one)) await make(inner, answers.size);
      time = one.end;
      if (recorded.status === 0) response.destroy();
      else response.writeHead(recorded.status, one.replyHeaders).end(recorded.content.text);
    });
    const url = new URL(request.url);
    const target = new URL(`${url.pathname}${url.search}`, proxy.url);
    const headers = { ...one.headers, ...(postData && { 'content-length': String(Buffer.byteLength(postData.text)) }) };
    return new Promise((resolve, reject) => {
      const call = httpRequest(target, { method: one.method, headers: { ...headers, 'x-number': String(number) } });
      call.once('error', reject);
      call.once('response', (reply) => reply.resume().once('close', resolve));
      call.end(postData?.text);
    });
  };
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await make(next, answers.size);
  await proxy.close();
  return book.report;
}

/** Checks a recording in each form. */
export const forms: Readonly<Record<string, (calls: readonly Call[]) => Promise<Report>>> = {
  HAR: (calls) => checked(harOf(calls)),
  newman: (calls) => checked(newmanExport(calls)),
  'access log': (calls) => checked(writeDown('accessLog', calls)),
  'activity log': (calls) => checked(exported(calls)),
  proxy: proxied,
};
