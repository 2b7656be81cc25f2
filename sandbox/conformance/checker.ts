import { maskUrl } from '../activity-log/masking.ts';
import { isStated } from '../contract/basis.ts';
import { Routes } from '../contract/routes.ts';
import { mostIssues } from '../contract/schemas.ts';
import { getOrCreate } from '../runtime/caches.ts';
import { type Answers, noAnswers, weighed } from './answers.ts';
import { made, runCheck } from './check-body.ts';
import { replyFlaws, requestFlaws } from './check-message.ts';
import { type CheckedOperation, type ContractSet, type Operations, operationsOf } from './contracts.ts';
import type { Exchange } from './exchange.ts';
import { cut, type Finding, type FindingPlace, type Flaw, finding, isNotice, onePerPlace } from './finding.ts';
import { basisOfAddress, basisOfPath, OperationBasis } from './flaw-basis.ts';
import { pathPointer } from './ruled-operation.ts';
import { judgeExchange } from './statements/judge-exchange.ts';
import { type ParsedExchange, parseExchange } from './statements/parsed-exchange.ts';
import type { ExchangeRule, Party } from './statements/rule.ts';

/** The verdict on one exchange, or on its request alone. */
export interface Verdict {
  /** `undefined` if no contract documents the call. */
  readonly operation: CheckedOperation | undefined;
  readonly findings: readonly Finding[];
  /** Whether a part could not be checked. A notice names that part. */
  readonly unchecked: boolean;
  /** Whether the path is outside the interface, so that nothing in the call was checked. */
  readonly isOutside?: boolean;
  /** The exchange as parsed for the rules, and the rules that it satisfies. */
  readonly parsed?: ParsedExchange;
  readonly satisfied?: readonly ExchangeRule[];
}

interface CheckerOptions {
  readonly notices?: boolean;
  readonly answers?: Answers;
}

/** Validates exchanges against the contracts and returns findings (OP-90, OP-151). */
export class Checker {
  readonly contracts: ContractSet;
  /** The other side's answers to open points. */
  readonly answers: Answers;
  readonly #notices: boolean;
  readonly #routes = new Map<Exchange['server'], Routes<CheckedOperation>>();
  /** The bases of each operation's rules. The number of operations bounds this cache. */
  readonly #bases = new Map<CheckedOperation, OperationBasis>();
  #operations: Operations | undefined;

  /** `notices: false` omits notices about unchecked parts. */
  constructor(contracts: ContractSet, { notices = true, answers = noAnswers }: CheckerOptions = {}) {
    this.contracts = contracts;
    this.answers = answers;
    this.#notices = notices;
  }

  /** The operations of all contracts. */
  get operations(): Operations {
    this.#operations ??= operationsOf(this.contracts);
    return this.#operations;
  }

  /** Checks an exchange against the contracts. Each location has at most one finding. */
  check(exchange: Exchange): Verdict {
    return this.checkReply(exchange, this.checkRequest(exchange));
  }

  /** Checks the reply of an exchange and adds its findings to the verdict on the request. */
  checkReply(exchange: Exchange, request: Verdict): Verdict {
    const { operation } = request;
    const { reply, server } = exchange;
    // A webhook receiver may respond with any status: 2xx accepts, and any other status refuses.
    if (operation === undefined || reply === undefined || server === 'webhook') return request;
    const flaws = runCheck(operation, () => replyFlaws(operation, exchange, reply));
    const found = this.#verdict(exchange, this.findingPlaceOf(operation, reply.status), 'reply', flaws);
    const unchecked = request.unchecked || found.unchecked;
    const findings = [...request.findings, ...found.findings];
    return ruled({ ...request, findings, unchecked }, exchange, 'host', this.answers);
  }

  /** Checks the request of an exchange. */
  checkRequest(exchange: Exchange): Verdict {
    const { server, method } = exchange;
    const routes = getOrCreate(this.#routes, server, () => new Routes(this.contracts[server]));
    const routed = routes.find(method, pathOf(exchange));
    if (routed.kind === 'found') {
      const { operation } = routed;
      const asHost = hostView(operation);
      const read = readPart(exchange, asHost);
      const flaws = runCheck(asHost, () => requestFlaws(asHost, read.path, read.request, read.masked === true));
      return this.requestVerdict(read, operation, flaws);
    }
    if (routed.kind === 'other_method') {
      const { operation: other, methods } = routed;
      const rule = pathPointer(other);
      const flaw = made('method.undocumented', '/method', `one of ${methods.join(', ')}`, cut(method), rule);
      const { contract, hostedBy } = other;
      const place = { contract, operation: undefined, hostedBy, basisOf: () => basisOfPath(contract.bundle, rule) };
      return this.#verdict(exchange, place, 'request', [flaw]);
    }
    return this.#unnamed(exchange);
  }

  /**
   * Returns the verdict on a call to a path that no contract has. The call is not checked, but a near miss of a documented path is
   * reported.
   */
  #unnamed(exchange: Exchange): Verdict {
    const [first] = this.contracts[exchange.server];
    if (first === undefined) return { operation: undefined, findings: [], unchecked: false };
    const path = pathOf(exchange);
    const meant = meantBy(path, this.contracts[exchange.server]);
    const actual = cut(maskUrl(path));
    const flaw =
      meant === undefined
        ? made('url.outside', '/url', 'not part of this interface', actual, '/paths')
        : made('url.undocumented', '/url', `the path ${meant.path}`, actual, pathPointer(meant));
    const basisOf = () => (meant === undefined ? 'OP-90' : basisOfAddress(meant));
    const { contract } = meant ?? first;
    const place: FindingPlace = { contract, operation: undefined, hostedBy: 'nobody', basisOf };
    return { ...this.#verdict(exchange, place, 'request', [flaw]), isOutside: meant === undefined };
  }

  /**
   * Returns the verdict on a request with these flaws, including the findings of exchange rules about its caller.
   *
   * @param parsed the exchange as parsed for the rules, if it was parsed before
   */
  requestVerdict(
    exchange: Exchange,
    operation: CheckedOperation,
    flaws: readonly Flaw[],
    parsed?: ParsedExchange,
  ): Verdict {
    const found = this.#verdict(exchange, this.findingPlaceOf(hostView(operation)), 'request', flaws);
    return ruled({ ...found, operation, ...(parsed && { parsed }) }, exchange, 'caller', this.answers);
  }

  /** Converts flaws to findings, one per location. Flaws in values that a capture has masked are dropped. */
  #verdict(exchange: Exchange, place: FindingPlace, direction: Finding['direction'], flaws: readonly Flaw[]): Verdict {
    const { masked = false } = exchange;
    const seen = onePerPlace(flaws).filter(({ blank = false }) => !masked || !blank);
    const reported = this.#notices ? seen : seen.filter((flaw) => !isNotice(flaw));
    return {
      operation: place.operation,
      findings: reported
        .slice(0, mostIssues)
        .map((flaw) => weighed(finding(exchange, place, direction, flaw), this.answers)),
      unchecked: seen.some(({ code }) => code === 'body.unchecked'),
    };
  }

  /** Returns the context for findings about an operation. `status` is the status of the reply if the findings are about a reply. */
  findingPlaceOf(operation: CheckedOperation, status?: number): FindingPlace {
    const { contract, hostedBy } = operation;
    const bases = () => getOrCreate(this.#bases, operation, () => new OperationBasis(operation));
    return { contract, operation, hostedBy, basisOf: (flaw) => bases().of(flaw, status) };
  }
}

function pathOf({ path }: Exchange): string {
  return path.split('?', 1)[0] ?? '';
}

/** Adds the findings of exchange rules about one party to a verdict, except at locations where the contract already has an error. */
function ruled(verdict: Verdict, exchange: Exchange, party: Party, answers: Answers): Verdict {
  const { operation, findings, satisfied = [] } = verdict;
  if (operation === undefined) return verdict;
  const reused = verdict.parsed?.exchange === exchange ? verdict.parsed : undefined;
  const parsed = reused ?? parseExchange(operation.operationId, exchange);
  const judged = judgeExchange(parsed, operation, party);
  const direction = party === 'caller' ? 'request' : 'reply';
  const isKnown = ({ pointer }: Finding) =>
    findings.some((found) => found.direction === direction && found.pointer === pointer && found.severity === 'error');
  const left = mostIssues - findings.filter((found) => found.direction === direction).length;
  const more = judged.findings.filter((found) => !isKnown(found)).slice(0, left);
  const weighty = more.map((found) => weighed(found, answers));
  return { ...verdict, findings: [...findings, ...weighty], parsed, satisfied: [...satisfied, ...judged.satisfied] };
}

/** Statuses that refuse a request because of its headers, size or rate. A 401 is included if the credential is in a header. */
const refusedUnread: ReadonlySet<number | undefined> = new Set([403, 413, 415, 429]);

/** Returns whether the host refused a request without reading its body. Validating that body would cost more than the refusal. */
export function isRefusedUnread({ reply }: Exchange, { credentials }: CheckedOperation): boolean {
  return refusedUnread.has(reply?.status) || (reply?.status === 401 && credentials.schemes.length > 0);
}

/** Returns an exchange without the request body if the host did not read that body. */
function readPart(exchange: Exchange, operation: CheckedOperation): Exchange {
  const { request } = exchange;
  if (request.body.kind === 'unseen' || !isRefusedUnread(exchange, operation)) return exchange;
  return { ...exchange, request: { ...request, body: { kind: 'uncaptured' } } };
}

/** Returns the operation that requests are validated against. */
export function hostView(operation: CheckedOperation): CheckedOperation {
  return operation.asHost ?? operation;
}

/** Returns the operation whose path the caller of an unknown path probably meant. Only paths that the interface states have near misses. */
function meantBy(path: string, operations: readonly CheckedOperation[]): CheckedOperation | undefined {
  return operations.find((operation) => isNearMiss(path, operation.path) && isStated(basisOfAddress(operation)));
}

/** Returns whether two paths differ by at most one letter or one swap of adjacent letters. Ignores case, slashes and `/v1`. */
function isNearMiss(path: string, other: string): boolean {
  const [one, two] = [withoutForm(path), withoutForm(other)];
  let same = 0;
  while (same < one.length && one[same] === two[same]) same += 1;
  const [left, right] = [one.slice(same), two.slice(same)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1) || isSwapped;
}

function withoutForm(path: string): string {
  const segments = path.toLowerCase().split('/');
  return segments.filter((segment) => segment !== '' && segment !== 'v1').join('/');
}
