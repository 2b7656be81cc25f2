import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Checker, Verdict } from '../conformance/checker.ts';
import { mediaType } from '../conformance/decoding.ts';
import { type Body, type Exchange, type Message, type Reply, serverOf, webhookOf } from '../conformance/exchange.ts';
import { type Finding, fails } from '../conformance/finding.ts';
import type { FindingCollector } from '../conformance/finding-collector.ts';
import {
  addTrailers,
  copyBody,
  type Destination,
  flow,
  hold,
  onReply,
  passOn,
  release,
  type UpstreamConnections,
  writeHead,
} from './forwarding.ts';
import { hasNoBody, pairs } from './framing.ts';
import type { ProxyOptions } from './proxy-server.ts';
import { refuse } from './refusal.ts';

/** The components that forward and check a call. */
interface ProxyParts {
  readonly checker: Checker;
  readonly book: FindingCollector;
  readonly options: ProxyOptions;
  readonly connections: UpstreamConnections;
  /** The open event streams. */
  readonly streams: Set<ServerResponse>;
}

/**
 * A call to an API with a contract, or a webhook: its destination, and the parts of its exchange that are known before
 * the bodies are read.
 */
interface Course {
  readonly parts: ProxyParts;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Exchange['server'];
  readonly below: string;
  /** The key of the workspace, if the address has one. */
  readonly key?: string | undefined;
  /** The arrival time of the call; `undefined` if the proxy has no clock. */
  readonly start: number | undefined;
}

/**
 * Forwards a call and checks it. In mode `enforce`, messages that violate a contract are not forwarded. `url` is the
 * target to check, normalized as in the sandbox. The call itself is forwarded unchanged.
 */
export async function pass(
  parts: ProxyParts,
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
): Promise<void> {
  const { options, book } = parts;
  const served = serverOf(url) ?? webhookOf(request.method ?? '', pairs(request.rawHeaders));
  if (served === undefined) {
    book.skip('outside');
    const to = { base: options.sandbox, path: request.url ?? '/', foreign: false };
    const call = onward(parts, request, response, to, (reply) => {
      begin(request, response, reply, isStream(messageOf(reply)), options);
      passOn(reply, response);
    });
    return send(request, call);
  }
  const course = { parts, request, response, ...served, start: options.now?.() };
  if (options.mode === 'enforce') await enforce(course);
  else watch(course);
}

/** Forwards messages immediately, and checks copies afterwards. */
function watch(course: Course): void {
  const { parts, request, response } = course;
  const sent = copyBody(request);
  const call = checked(course, sent, (reply) => {
    const head = messageOf(reply);
    const streamed = isStream(head);
    begin(request, response, reply, streamed, parts.options);
    if (streamed) stream(course, sent(), head);
    else {
      const got = copyBody(reply);
      response.once('finish', () => judge(course, sent(), { ...head, body: got() }));
    }
    passOn(reply, response);
  });
  send(request, call);
}

/** Buffers the request and the reply until they are checked. */
async function enforce(course: Course): Promise<void> {
  const { parts, request, response } = course;
  const sent = await hold(request).catch(() => undefined);
  // A caller that disconnected awaits no reply.
  if (sent === undefined || response.destroyed) return;
  const verdict = parts.checker.checkRequest(exchangeOf(course, sent.body));
  const faults = failing(verdict, parts.options);
  if (faults.length > 0) {
    judge(course, sent.body, undefined, verdict);
    const detail = 'The request violates the contract and was not forwarded. Fix the findings.';
    return refuse(response, { status: 400, title: 'Request refused by the proxy', detail, findings: faults });
  }
  const call = checked(
    course,
    () => sent.body,
    (reply) => {
      settle(course, sent.body, verdict, reply).catch(({ message }: Error) => {
        const detail = `The response of the upstream server is incomplete: ${message}`;
        refuse(response, { status: 502, title: 'Incomplete response', detail });
      });
    },
  );
  release(sent, request, call);
}

/** Forwards a valid reply, and refuses an invalid one. Rejects if the reply breaks off. */
async function settle(course: Course, sent: Body, requestVerdict: Verdict, reply: IncomingMessage): Promise<void> {
  const { parts, request, response } = course;
  const head = messageOf(reply);
  if (isStream(head)) {
    begin(request, response, reply, true, parts.options);
    stream(course, sent, head);
    return passOn(reply, response);
  }
  reply.setTimeout(parts.options.replyMilliseconds, () => reply.destroy());
  const got = await hold(reply);
  const faults = judge(course, sent, { ...head, body: got.body }, requestVerdict);
  if (faults.length > 0) {
    reply.destroy();
    const detail = 'The upstream server processed the call, but its response violates the contract.';
    return refuse(response, { status: 502, title: 'Response refused by the proxy', detail, findings: faults });
  }
  begin(request, response, reply, false, parts.options);
  if (got.ended) addTrailers(reply, response);
  release(got, reply, response);
}

/** Forwards the body of a request as it arrives. A request without a body is sent immediately. */
function send(request: IncomingMessage, call: ClientRequest): void {
  if (hasNoBody(request)) call.end();
  else flow(request, call);
}

/** Begins the upstream call. If no reply arrives, the request is still checked and the caller receives a 502. */
function checked(course: Course, sent: () => Body, then: (reply: IncomingMessage) => void): ClientRequest {
  const { parts, request, response, server, below } = course;
  const own = parts.options.upstreams[server];
  const written = request.url ?? '/';
  const path = own === undefined || server === 'webhook' ? written : (serverOf(written)?.below ?? below);
  const to = { base: own ?? parts.options.sandbox, path, foreign: own !== undefined };
  return onward(parts, request, response, to, then, () => judge(course, sent()));
}

/**
 * Begins an upstream call, which ends when the reply to the caller ends. If the server closed a connection that it
 * promised to keep open, a read-only call is retried on another connection (RFC 9110, 9.2.2).
 */
function onward(
  parts: ProxyParts,
  request: IncomingMessage,
  response: ServerResponse,
  to: Destination,
  then: (reply: IncomingMessage) => void,
  without: () => void = () => {},
): ClientRequest {
  const { connections, options } = parts;
  const call = connections.call(request, to);
  response.once('close', () => call.destroy());
  const none = (why: string, gone = false) => {
    if (response.destroyed) return;
    const broken = gone && call.reusedSocket;
    if (broken && onlyReads(request)) return void onward(parts, request, response, to, then, without).end();
    without();
    const detail = broken
      ? `${to.base.origin} closed a connection earlier than its Keep-Alive timeout, while a call was in transit. The proxy cannot know whether the call was processed. Configure the server to keep connections open as long as it announces.`
      : `No response from ${to.base.origin}: ${why}. Check that it is running, and check --upstream of the proxy.`;
    refuse(response, { status: 502, title: 'No response from the upstream server', detail });
  };
  const reply = (incoming: IncomingMessage) => {
    try {
      then(incoming);
    } catch (error) {
      incoming.destroy();
      none((error as Error).message);
    }
  };
  onReply(call, options.replyMilliseconds, reply, none);
  return call;
}

/** Returns whether a call is read-only and has no body. */
function onlyReads(request: IncomingMessage): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '') && hasNoBody(request);
}

/**
 * Begins the reply to the caller. The reply ends if neither side makes progress, except for event streams, which may be
 * silent.
 */
function begin(
  request: IncomingMessage,
  response: ServerResponse,
  reply: IncomingMessage,
  streamed: boolean,
  { replyMilliseconds }: ProxyOptions,
): void {
  writeHead(request, response, reply);
  if (!streamed) response.setTimeout(replyMilliseconds, () => response.destroy());
}

/** Checks only the head of an event stream. Its body is streamed unchanged, and it ends when the proxy stops. */
function stream(course: Course, sent: Body, head: Omit<Reply, 'body'>): void {
  const { parts, response } = course;
  parts.streams.add(response);
  response.once('close', () => parts.streams.delete(response));
  judge(course, sent, { ...head, body: { kind: 'unseen', why: 'it is an event stream' } });
}

/**
 * Checks the observed parts of a call and records the verdict. Returns the findings for which mode `enforce` refuses
 * the reply. `requestVerdict` is the verdict on the request, if it already exists.
 */
function judge(course: Course, sent: Body, reply?: Reply, requestVerdict?: Verdict): readonly Finding[] {
  const { checker, book, options } = course.parts;
  const exchange = exchangeOf(course, sent, reply);
  const verdict = checker.checkReply(exchange, requestVerdict ?? checker.checkRequest(exchange));
  for (const found of book.add(exchange, verdict, options.secondOpinion?.of(exchange, verdict)))
    options.onFinding?.(found);
  return failing(verdict, options).filter(({ direction }) => direction === 'reply');
}

function failing({ findings }: Verdict, { failOn }: ProxyOptions): readonly Finding[] {
  return findings.filter((found) => fails(found, failOn));
}

function exchangeOf({ parts, request, server, below, key = '', start }: Course, sent: Body, reply?: Reply): Exchange {
  const { method = 'GET', url = '/', rawHeaders } = request;
  const end = parts.options.now?.();
  const span = start === undefined || end === undefined ? undefined : { start, end };
  const sentMessage = { headers: pairs(rawHeaders), body: sent };
  return { server, method, path: below, url, base: key, request: sentMessage, reply, span };
}

function messageOf({ rawHeaders, statusCode = 0 }: IncomingMessage): Omit<Reply, 'body'> {
  return { headers: pairs(rawHeaders), status: statusCode };
}

function isStream({ headers }: Pick<Message, 'headers'>): boolean {
  return mediaType(headers) === 'text/event-stream';
}
