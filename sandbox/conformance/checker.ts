import { made } from './check-body.ts';
import { replyFlaws } from './check-reply.ts';
import { requestFlaws } from './check-request.ts';
import type { CheckedOperation, ContractSet } from './contracts.ts';
import type { Exchange } from './exchange.ts';
import { type Finding, type FindingPlace, finding } from './finding.ts';
import { cut, type Flaw } from './flaw.ts';
import { basisOfContract, basisOfPath, OperationBasis } from './flaw-basis.ts';
import { Routes } from './routing.ts';

/** What came of checking one exchange, or its request alone. */
export interface Verdict {
  /** Undefined where no contract knows the call. */
  readonly operation: CheckedOperation | undefined;
  readonly findings: readonly Finding[];
}

/** Holds exchanges against the contracts (OP-90). It keeps nothing of them. */
export class Checker {
  readonly contracts: ContractSet;
  readonly #routes: ReadonlyMap<Exchange['server'], Routes>;
  readonly #bases: ReadonlyMap<CheckedOperation, OperationBasis>;

  constructor(contracts: ContractSet) {
    this.contracts = contracts;
    const sides = Object.entries(contracts) as [Exchange['server'], readonly CheckedOperation[]][];
    this.#routes = new Map(sides.map(([server, operations]) => [server, new Routes(operations)]));
    const operations = sides.flatMap(([, side]) => side.flatMap((operation) => [operation, taken(operation)]));
    this.#bases = new Map(operations.map((operation) => [operation, new OperationBasis(operation)]));
  }

  /** Everything in an exchange that is not as the contracts say, each place once. */
  check(exchange: Exchange): Verdict {
    return this.checkReply(exchange, this.checkRequest(exchange));
  }

  /** What is found in the reply of an exchange, beside what its request was found to be. */
  checkReply(exchange: Exchange, request: Verdict): Verdict {
    const { operation } = request;
    const { reply, server } = exchange;
    // Whoever takes a webhook answers as they like: 2xx is a yes, the rest a no.
    if (operation === undefined || reply === undefined || server === 'webhook') return request;
    const flaws = told(operation, () => replyFlaws(operation, exchange.method, reply));
    const found = findings(exchange, this.#placeOf(operation, reply.status), 'reply', flaws);
    return { operation, findings: [...request.findings, ...found] };
  }

  /** Everything in the request of an exchange. */
  checkRequest(exchange: Exchange): Verdict {
    const routed = this.#routes.get(exchange.server)?.find(exchange.method, exchange.path) ?? { kind: 'unknown' };
    if (routed.kind === 'found') {
      const { operation } = routed;
      const asked = taken(operation);
      const flaws = told(asked, () => requestFlaws(asked, exchange.path, exchange.request, exchange.masked));
      return { operation, findings: findings(exchange, this.#placeOf(asked), 'request', flaws) };
    }
    if (routed.kind === 'other_method') {
      const { known, methods } = routed;
      const rule = known.pointer.slice(0, known.pointer.lastIndexOf('/'));
      const flaw = made('method.undocumented', '/method', `one of ${methods.join(', ')}`, cut(exchange.method), rule);
      const { contract, hostedBy } = known;
      const place = { contract, operation: undefined, hostedBy, basisOf: () => basisOfPath(contract.bundle, rule) };
      return { operation: undefined, findings: findings(exchange, place, 'request', [flaw]) };
    }
    const contract = this.contracts[exchange.server][0]?.contract;
    if (contract === undefined) return { operation: undefined, findings: [] };
    const [path = ''] = exchange.path.split('?');
    const flaw = made('url.undocumented', '/url', `a path of the ${exchange.server} contracts`, cut(path), '/paths');
    const basisOf = () => basisOfContract(contract.bundle);
    const place: FindingPlace = { contract, operation: undefined, hostedBy: 'nobody', basisOf };
    return { operation: undefined, findings: findings(exchange, place, 'request', [flaw]) };
  }

  /** An operation as what findings are about; `status` is that of the reply, where they are about one. */
  #placeOf(operation: CheckedOperation, status?: number): FindingPlace {
    const { contract, hostedBy } = operation;
    const basisOf = (flaw: Flaw) => this.#bases.get(operation)?.of(flaw, status) ?? basisOfContract(contract.bundle);
    return { contract, operation, hostedBy, basisOf };
  }
}

/** The operation as requests are held against it. */
function taken(operation: CheckedOperation): CheckedOperation {
  return operation.taken ?? operation;
}

/** Runs a check. One that breaks down over a message is a notice about that message, and ends nothing else. */
function told({ pointer }: CheckedOperation, check: () => readonly Flaw[]): readonly Flaw[] {
  try {
    return check();
  } catch (error) {
    const why = `the check broke down: ${(error as Error).message}`;
    return [made('body.unchecked', '/body', 'a message that can be checked', cut(why), pointer)];
  }
}

/** Flaws as findings, one for each place; without those at places whose value a capture has masked. */
function findings(
  exchange: Exchange,
  place: FindingPlace,
  direction: Finding['direction'],
  flaws: readonly Flaw[],
): Finding[] {
  const once = new Map(flaws.map((flaw) => [`${flaw.code.split('.')[0]} ${flaw.pointer}`, flaw] as const).toReversed());
  const masked = ({ actual }: Flaw) => exchange.masked === true && /^"?\*{3}/.test(actual);
  return [...once.values()]
    .toReversed()
    .filter((flaw) => !masked(flaw))
    .map((flaw) => finding(exchange, place, direction, flaw));
}
