import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Checker, Verdict } from './checker.ts';
import { mediaType } from './decoding.ts';
import { type Body, type Exchange, header, type Message, type Reply, serverOf, webhookOf } from './exchange.ts';
import type { Finding } from './finding.ts';
import type { FindingBook } from './finding-book.ts';
import { addTrailers, type Connections, Copy, hold, pairs, passOn, release, writeHead } from './forwarding.ts';
import type { ProxyOptions } from './proxy.ts';
import { refuse } from './refusal.ts';

/** What a call needs on its way through the proxy. */
export interface Around {
  readonly checker: Checker;
  readonly book: FindingBook;
  readonly options: ProxyOptions;
  readonly connections: Connections;
  /** Event streams that are open. */
  readonly streams: Set<ServerResponse>;
}

/** A call under a contract's address, or a webhook: where it goes, and what it is as an exchange once its bodies are known. */
interface Course {
  readonly around: Around;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Exchange['server'];
  readonly below: string;
}

/** Passes one call on and checks it. In mode `enforce` what breaks a contract goes no further. */
export async function pass(around: Around, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, book } = around;
  const url = request.url ?? '/';
  const served = serverOf(url) ?? webhookOf(request.method ?? '', pairs(request.rawHeaders));
  if (served === undefined) {
    book.skip('outside');
    const call = begin(around, request, response, options.sandbox, url);
    call.once('response', (reply) => {
      writeHead(response, reply);
      passOn(reply, response);
    });
    request.pipe(call);
    return;
  }
  const course = { around, request, response, ...served };
  if (options.mode === 'enforce') await enforce(course);
  else watch(course);
}

/** Everything goes through at once; what was seen is checked when it has. */
function watch(course: Course): void {
  const { request, response } = course;
  const sent = new Copy(request);
  const call = onward(course, () => sent.body);
  call.once('response', (reply) => {
    const head = messageOf(reply);
    writeHead(response, reply);
    if (isStream(head)) stream(course, sent.body, reply);
    else {
      const got = new Copy(reply);
      response.once('finish', () => judge(course, sent.body, replyOf(head, got.body)));
    }
    passOn(reply, response);
  });
  request.pipe(call);
}

/** Request and reply are held back until they are checked. */
async function enforce(course: Course): Promise<void> {
  const { around, request, response } = course;
  const sent = await hold(request);
  const asked = exchangeOf(course, sent.body);
  const verdict = around.checker.checkRequest(asked);
  const faults = errors(verdict);
  if (faults.length > 0) {
    judge(course, sent.body, undefined, verdict);
    request.resume();
    return refuse(response, 400, 'Request refused by the proxy', refusedRequest, faults);
  }
  const call = onward(course, () => sent.body);
  call.once('response', async (reply) => {
    const head = messageOf(reply);
    if (isStream(head)) {
      writeHead(response, reply);
      stream(course, sent.body, reply);
      return passOn(reply, response);
    }
    try {
      const got = await hold(reply);
      const faults = judge(course, sent.body, replyOf(head, got.body), verdict);
      if (faults.length > 0) {
        reply.destroy();
        return refuse(response, 502, 'Reply refused by the proxy', refusedReply, faults);
      }
      writeHead(response, reply);
      if (got.ended) addTrailers(reply, response);
      release(got, reply, response);
    } catch (error) {
      refuse(response, 502, 'The reply broke off', `The reply broke off behind the proxy: ${(error as Error).message}`);
    }
  });
  release(sent, request, call);
}

const refusedRequest =
  'The request is not as the contract says, and was not passed on. Correct what the findings name.';
const refusedReply =
  'The server behind the proxy carried the call out and answered, but its reply is not as the contract says.';

/** Begins the call behind the proxy. Where it fails, its request is checked and the caller told. */
function onward(course: Course, sent: () => Body): ClientRequest {
  const { around, request, response, server, below } = course;
  const own = around.options.upstreams[server];
  const call = begin(
    around,
    request,
    response,
    own ?? around.options.sandbox,
    own === undefined || server === 'webhook' ? (request.url ?? '/') : below,
  );
  call.once('error', () => {
    if (!response.destroyed) judge(course, sent());
  });
  return call;
}

function begin(
  around: Around,
  request: IncomingMessage,
  response: ServerResponse,
  base: URL,
  path: string,
): ClientRequest {
  const call = around.connections.call(request, base, path, around.options.replyMilliseconds);
  response.once('close', () => call.destroy());
  call.once('error', ({ message }) => {
    if (response.destroyed) return;
    const detail = `${base.origin} gave the proxy no reply: ${message}. Check that it runs, and the proxy's --upstream.`;
    refuse(response, 502, 'No reply behind the proxy', detail);
  });
  return call;
}

/** An event stream is checked as far as its head; it passes through as it comes, and ends with the proxy. */
function stream({ around, response, ...course }: Course, sent: Body, reply: IncomingMessage): void {
  around.streams.add(response);
  response.once('close', () => around.streams.delete(response));
  judge(
    { around, response, ...course },
    sent,
    replyOf(messageOf(reply), { kind: 'unseen', why: 'it is an event stream' }),
  );
}

/** Checks what was seen of a call and notes it. Answers the errors that are the reply's. `asked` is the request's verdict. */
function judge(course: Course, sent: Body, reply?: Reply, asked?: Verdict): readonly Finding[] {
  const { checker, book, options } = course.around;
  const exchange = exchangeOf(course, sent, reply);
  const verdict = checker.checkReply(exchange, asked ?? checker.checkRequest(exchange));
  for (const found of book.add(exchange, verdict)) options.onFinding?.(found);
  return errors(verdict).filter(({ direction }) => direction === 'reply');
}

function errors({ findings }: Verdict): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error');
}

function exchangeOf({ request, server, below }: Course, sent: Body, reply?: Reply): Exchange {
  const { method = 'GET', url = '/', rawHeaders } = request;
  return { server, method, path: below, url, request: { headers: pairs(rawHeaders), body: sent }, reply };
}

function messageOf({ rawHeaders, statusCode = 0 }: IncomingMessage): Omit<Reply, 'body'> {
  return { headers: pairs(rawHeaders), status: statusCode };
}

function replyOf(head: Omit<Reply, 'body'>, body: Body): Reply {
  return { ...head, body };
}

function isStream({ headers }: Pick<Message, 'headers'>): boolean {
  return mediaType(header(headers, 'content-type') ?? '') === 'text/event-stream';
}
