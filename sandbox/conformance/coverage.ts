import type { components } from '../../generated/proxy/types.ts';
import { registry, type ServerName, serverNames } from '../apis/registry.ts';
import { getOrCreate } from '../runtime/caches.ts';
import type { Verdict } from './checker.ts';
import type { CheckedOperation, ContractSet } from './contracts.ts';
import type { Exchange } from './exchange.ts';
import type { Finding } from './finding.ts';

type Cell = components['schemas']['CoverageCell'];
/** The coverage section of a report. */
type Coverage = components['schemas']['Report']['coverage'];

/**
 * Counts the documented requests and replies in a recording. Requests and documented successes count towards the percentage. Errors
 * are listed but do not count, because many of them cannot be caused from outside (OP-91). The list contains the sandbox's errors,
 * because the interface leaves errors open.
 */
export class Tally {
  readonly #contracts: ContractSet;
  readonly #apis: readonly string[] | undefined;
  /** Counts of documented requests and replies, in total and with faults. */
  readonly #counts = new Map<string, { seen: number; faulty: number }>();

  /**
   * `apis` lists the contracts to include: by default the contracts of the parties, without the sandbox's control API and pages.
   * Webhooks are listed but do not count towards the percentage, because the contracts have no address for their receivers.
   */
  constructor(contracts: ContractSet, apis?: readonly string[]) {
    this.#contracts = contracts;
    this.#apis = apis;
  }

  /** Counts an exchange. */
  add({ reply }: Pick<Exchange, 'reply'>, { operation, findings }: Verdict): void {
    if (operation === undefined) return;
    const faulty = (direction: Finding['direction']) =>
      findings.some((found) => found.direction === direction && found.severity !== 'notice') ? 1 : 0;
    this.#count(keyOf(operation.operationId, null), 1, faulty('request'));
    if (reply !== undefined && statusesOf(operation).has(reply.status))
      this.#count(keyOf(operation.operationId, reply.status), 1, faulty('reply'));
  }

  /** Adds the counts of another tally. */
  takeOver({ cells }: Coverage): void {
    for (const { operation, status, seen, faulty } of cells) {
      if (seen > 0) this.#count(keyOf(operation, status), seen, faulty);
    }
  }

  #count(key: string, seen: number, faulty: number): void {
    const counts = getOrCreate(this.#counts, key, () => ({ seen: 0, faulty: 0 }));
    counts.seen += seen;
    counts.faulty += faulty;
  }

  get coverage(): Coverage {
    const cells = [...this.#cells()];
    const counted = cells.filter((cell) => cell.counted);
    const covered = counted.filter(({ seen }) => seen > 0).length;
    const percent = counted.length === 0 ? 100 : Math.floor((covered * 1000) / counted.length) / 10;
    return { percent, covered, documented: counted.length, cells };
  }

  *#cells(): Generator<Cell> {
    const sides = Object.entries(this.#contracts) as [Exchange['server'], ContractSet[ServerName]][];
    for (const [server, operations] of sides) {
      for (const operation of operations) {
        const { operationId, contract } = operation;
        const { api } = contract;
        const wanted = server !== 'webhook' && (this.#apis?.includes(api) ?? registry[server].ofInterface);
        const cell = (status: number | null) => ({
          api,
          operation: operationId,
          ...(this.#counts.get(keyOf(operationId, status)) ?? { seen: 0, faulty: 0 }),
        });
        yield { ...cell(null), direction: 'request', status: null, counted: wanted };
        for (const status of statusesOf(operation).keys())
          yield { ...cell(status), direction: 'reply', status, counted: wanted && status < 400 };
      }
    }
  }
}

function keyOf(operationId: string, status: number | null): string {
  return `${operationId} ${status ?? 'request'}`;
}

/** Returns the replies that the sandbox documents for an operation. */
function statusesOf({ asHost, replies }: CheckedOperation): CheckedOperation['replies'] {
  return asHost?.replies ?? replies;
}

/** A report entry about the calls to one address that match no contract. */
type Unmatched = components['schemas']['Report']['unmatched'][number];

/** Maximum number of listed addresses. Calls to further addresses are only counted. */
const mostAddresses = 20;

/** APIs that a partner or a platform serves at its own address. */
const servers = serverNames.filter((name) => registry[name].ofInterface);

/**
 * Calls that match no contract, by target address. A path that ends like an operation's path suggests which API is at that address.
 * The report can then name the `--server` option that would include these calls.
 */
export class UnmatchedCalls {
  readonly #contracts: ContractSet;
  readonly #byOrigin = new Map<string, Unmatched>();

  constructor(contracts: ContractSet) {
    this.#contracts = contracts;
  }

  add(method: string, { protocol, origin, pathname }: URL): void {
    if (!/^https?:$/.test(protocol)) return;
    const existing = this.#byOrigin.get(origin);
    if (existing === undefined && this.#byOrigin.size >= mostAddresses) return;
    const entry = existing ?? { address: origin, calls: 0, server: null };
    entry.calls += 1;
    if (entry.server === null) Object.assign(entry, this.#guess(method, origin, pathname));
    this.#byOrigin.set(origin, entry);
  }

  /** Adds the entries of another report. */
  takeOver(list: readonly Unmatched[]): void {
    for (const { address, calls, server } of list) {
      const { origin } = new URL(address);
      const existing = this.#byOrigin.get(origin);
      if (existing !== undefined) existing.calls += calls;
      else if (this.#byOrigin.size < mostAddresses) this.#byOrigin.set(origin, { address, calls, server });
    }
  }

  /** The entries: those with a probable API first, then by descending number of calls. */
  get list(): Unmatched[] {
    const rank = ({ server }: Unmatched) => (server === null ? 1 : 0);
    return [...this.#byOrigin.values()]
      .map((entry) => ({ ...entry }))
      .sort((one, other) => rank(one) - rank(other) || other.calls - one.calls);
  }

  #guess(method: string, origin: string, pathname: string): Pick<Unmatched, 'address' | 'server'> | undefined {
    for (const server of servers) {
      const operation = this.#contracts[server].find(
        (one) => one.method === method && !one.path.includes('{') && pathname.endsWith(one.path),
      );
      if (operation === undefined) continue;
      return { address: `${origin}${pathname.slice(0, -operation.path.length)}`, server };
    }
    return undefined;
  }
}
