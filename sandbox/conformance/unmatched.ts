import type { components } from '../../generated/proxy/types.ts';
import { registry, serverNames } from '../apis/registry.ts';
import type { ContractSet } from './contracts.ts';

/** Calls to one address that match no contract, as a report lists them. */
type Unmatched = components['schemas']['Report']['unmatched'][number];

/** Most addresses that are listed; calls to further ones are counted only. */
const mostAddresses = 20;

/** APIs that a partner or a platform serves at an address of its own. */
const servers = serverNames.filter((name) => registry[name].ofInterface);

/**
 * Calls that match no contract, by the address they went to. A path that ends like an operation of an API says which
 * API probably is at that address, and so which `--server` would have the calls checked.
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

  /** Adds what another report lists. */
  takeOver(list: readonly Unmatched[]): void {
    for (const { address, calls, server } of list) {
      const { origin } = new URL(address);
      const existing = this.#byOrigin.get(origin);
      if (existing !== undefined) existing.calls += calls;
      else if (this.#byOrigin.size < mostAddresses) this.#byOrigin.set(origin, { address, calls, server });
    }
  }

  /** Addresses with a probable API first, then by number of calls. */
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
