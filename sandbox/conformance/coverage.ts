import type { components } from '../../generated/proxy/types.ts';
import { registry, type ServerName } from '../apis/registry.ts';
import type { Verdict } from './checker.ts';
import type { ContractSet } from './contracts.ts';
import type { Exchange } from './exchange.ts';

type Cell = components['schemas']['CoverageCell'];
export type Coverage = components['schemas']['Report']['coverage'];

/**
 * Which requests and replies of the contracts were seen. Requests and documented successes count towards the
 * percentage; errors are shown and do not count, since many of them cannot be brought about from outside (OP-91). They are
 * those that the sandbox has: the form of the interface leaves them open.
 */
export class Tally {
  readonly #cells = new Map<string, Cell & { seen: number; faulty: number }>();

  /**
   * `apis` names the contracts that matter; left out, those of the parties: neither the sandbox's own control API nor
   * pages. Webhooks are listed and never count, since whoever takes them is not at an address of the contracts.
   */
  constructor(contracts: ContractSet, apis?: readonly string[]) {
    for (const [server, operations] of Object.entries(contracts) as [Exchange['server'], ContractSet[ServerName]][]) {
      for (const { contract, operationId, replies, taken } of operations) {
        const { api } = contract;
        const wanted = server !== 'webhook' && (apis?.includes(api) ?? registry[server].ofInterface);
        const cell = { api, operation: operationId, seen: 0, faulty: 0 };
        this.#cells.set(`${operationId} request`, { ...cell, direction: 'request', status: null, counted: wanted });
        for (const status of (taken?.replies ?? replies).keys()) {
          const counted = wanted && status < 400;
          this.#cells.set(`${operationId} ${status}`, { ...cell, direction: 'reply', status, counted });
        }
      }
    }
  }

  /** Counts an exchange. */
  add({ reply }: Pick<Exchange, 'reply'>, { operation, findings }: Verdict): void {
    if (operation === undefined) return;
    for (const [key, direction] of [
      [`${operation.operationId} request`, 'request'],
      [`${operation.operationId} ${reply?.status}`, 'reply'],
    ] as const) {
      const cell = this.#cells.get(key);
      if (cell === undefined) continue;
      cell.seen += 1;
      if (findings.some((found) => found.direction === direction && found.severity !== 'notice')) cell.faulty += 1;
    }
  }

  /** Adds what another tally has counted. */
  takeOver({ cells }: Coverage): void {
    for (const { operation, direction, status, seen, faulty } of cells) {
      const cell = this.#cells.get(`${operation} ${direction === 'request' ? direction : status}`);
      if (cell === undefined) continue;
      cell.seen += seen;
      cell.faulty += faulty;
    }
  }

  get coverage(): Coverage {
    const cells = [...this.#cells.values()].map((cell) => ({ ...cell }));
    const counted = cells.filter((cell) => cell.counted);
    const covered = counted.filter(({ seen }) => seen > 0).length;
    const percent = counted.length === 0 ? 100 : Math.floor((covered * 1000) / counted.length) / 10;
    return { percent, covered, documented: counted.length, cells };
  }
}
