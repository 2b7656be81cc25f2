/** Findings in the sandbox's own traffic: in the calls that it serves, and in other servers' replies to its calls. */
import type { CallFinding, ValidatedCall } from '../activity-log/activity-entry.ts';
import type { ServedCall } from '../contract/api.ts';
import { formFields } from '../contract/body.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import { type CallReply, textOf, type ValidatedReply, type ValidatingContract } from '../http-client/reply.ts';
import { once } from '../runtime/caches.ts';
import { notRead } from './activity-entries.ts';
import { issueFlaws, lookAt, refusedBodyFlaws, runCheck } from './check-body.ts';
import { addressFlaws, credentialFlaws, parameterFlaws, valueFlaws } from './check-message.ts';
import { Checker, hostView, type Verdict } from './checker.ts';
import { type CheckedOperation, ownContracts } from './contracts.ts';
import { contentOf } from './decoding.ts';
import { type Exchange, type HeaderList, type Message, namedHeaders, serverOf } from './exchange.ts';
import type { Finding, Flaw } from './finding.ts';
import { operationsWithCallerRules } from './statements/judge-exchange.ts';
import type { ParsedExchange } from './statements/parsed-exchange.ts';

/** The checker for the traffic of this process, created once because contracts do not change while the process runs. */
export const ownChecker = once(() => new Checker(ownContracts(), { notices: false }));

/** A call that the sandbox served. */
interface ServedExchange {
  readonly method: string;
  /** Path and query, without the workspace key. */
  readonly url: string;
  readonly trace: string;
  readonly headers: HeaderList;
  readonly hasBody: boolean;
  /** `operation` is omitted if no contract has the address. */
  readonly served: Pick<ServedCall, 'status' | 'verdict'> & Partial<Pick<ServedCall, 'operation'>>;
}

const clean: ValidatedCall = { findings: [], unchecked: false };

/**
 * Returns the findings in a call that the sandbox served. They combine the pipeline's own verdict on the request, the checks it did
 * not reach, and the exchange rules about the caller. The reply is not checked again, because the pipeline validates it before
 * sending it (OP-66).
 */
export function findingsOfServed(call: ServedExchange): ValidatedCall {
  const { served, hasBody } = call;
  const { operation, verdict } = served;
  const isRight = operation !== undefined && isClean(verdict) && (operation.body !== undefined || !hasBody);
  if (isRight && !operationsWithCallerRules.has(operation.operationId)) return clean;
  const at = serverOf(call.url);
  if (at === undefined) return clean;
  const checker = ownChecker();
  if (operation === undefined) return logged(checker.checkRequest(exchangeOf(call, at.server, at.below)));
  const known = checker.operations.get(operation.operationId);
  if (known === undefined) return clean;
  const exchange = exchangeOf(call, known.server, at.below);
  const judged = () => flawsOfServed(hostView(known.operation), exchange, verdict);
  const flaws = isRight ? [] : runCheck(known.operation, judged);
  const parsed: ParsedExchange = {
    operation: operation.operationId,
    exchange,
    status: exchange.reply?.status,
    query: formFields(at.below.split('?')[1] ?? ''),
    sent: verdict.sent,
    received: undefined,
  };
  return logged(checker.requestVerdict(exchange, known.operation, flaws, parsed));
}

function isClean({ isAdmitted, parameters, body }: ServedCall['verdict']): boolean {
  return isAdmitted && parameters?.length === 0 && Array.isArray(body) && body.length === 0;
}

function exchangeOf(call: ServedExchange, server: Exchange['server'], path: string): Exchange {
  const { method, url, trace, headers, hasBody, served } = call;
  const request: Message = { headers, body: hasBody ? notRead : { kind: 'text', text: '' } };
  const reply = served.status === null ? undefined : { ...none, status: served.status };
  return { server, method, path, url, trace, request, reply };
}

const none: Message = { headers: undefined, body: { kind: 'value', value: null } };

function flawsOfServed(
  operation: CheckedOperation,
  exchange: Exchange,
  verdict: ServedCall['verdict'],
): readonly Flaw[] {
  const { path, request } = exchange;
  const malformed = addressFlaws(operation, path);
  if (malformed.length > 0) return malformed;
  const headers = namedHeaders(request.headers ?? [], operation.requestRule.headers);
  const { isAdmitted, parameters, body } = verdict;
  return [
    ...(isAdmitted ? [] : credentialFlaws(operation, headers, false)),
    ...(parameters?.flatMap((issue) => parameterIssueFlaws(operation, issue)) ??
      parameterFlaws(operation, path, headers)),
    ...bodyFlawsOf(operation, request, body),
  ];
}

function parameterIssueFlaws(
  { parameters }: CheckedOperation,
  { parameter, sent, issues }: NonNullable<ServedCall['verdict']['parameters']>[number],
): readonly Flaw[] {
  const described = parameters.find(({ in: place, name }) => place === parameter.in && name === parameter.name);
  return described === undefined ? [] : valueFlaws(described, sent, issues);
}

function bodyFlawsOf(
  { requestRule }: CheckedOperation,
  request: Message,
  body: ServedCall['verdict']['body'],
): readonly Flaw[] {
  if (requestRule.types.length === 0) {
    const isSent = request.body === notRead;
    return lookAt(isSent ? { ...request, body: { kind: 'unseen', why: 'it was not read' } } : request, requestRule)
      .flaws;
  }
  if (body === undefined || request.body !== notRead) return lookAt(request, requestRule).flaws;
  return 'failure' in body ? refusedBodyFlaws(request, requestRule, body) : issueFlaws(body);
}

function logged({ findings, unchecked }: Verdict): ValidatedCall {
  return { findings: findings.map(callFinding), unchecked };
}

/** Removes the fields of a finding that the log entry already contains. */
function callFinding({
  times: _,
  method: _m,
  url: _u,
  status: _s,
  operation: _o,
  trace: _t,
  ...found
}: Finding): CallFinding {
  return found;
}

/**
 * Adds the reply validator to a contract, for replies to the platform and the microsite. It is the same validator as for all other
 * traffic (OP-62).
 */
export function validatingContract(contract: LoadedContract): ValidatingContract {
  return { ...contract, validate: validateReply };
}

function validateReply({ operation: id, method, url, trace, request, reply }: CallReply): ValidatedReply {
  const checker = ownChecker();
  const known = checker.operations.get(id);
  if (known === undefined) throw new Error(`no contract has ${id}`);
  const [, query] = url.split('?');
  const path = query === undefined ? known.operation.path : `${known.operation.path}?${query}`;
  const { status, headers } = reply;
  const message = { status, headers, body: { kind: 'text', text: textOf(reply) } as const };
  const sent: Message = { headers: undefined, body: { kind: 'value', value: request } };
  const exchange: Exchange = { server: known.server, method, path, url, trace, request: sent, reply: message };
  const verdict = checker.checkReply(exchange, { operation: known.operation, findings: [], unchecked: false });
  const content = contentOf(message);
  return { ...logged(verdict), json: content.kind === 'text' ? content.json() : undefined };
}
