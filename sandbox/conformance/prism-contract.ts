import type { Node, Operation } from '../contract/document.ts';
import { ContractError, PrismUnread, type PrismView } from './prism-view.ts';

/**
 * A contract as Prism knows it, read when it is first needed (OP-148): Prism and the contracts in it are most of the
 * memory of whoever has them.
 */
export class PrismContract {
  readonly #api: string;
  readonly #bundle: Node;
  readonly #operations: readonly Operation[];
  #reading: Promise<void> | undefined;
  #views: ReadonlyMap<string, PrismView> | undefined;
  #failure: unknown;

  constructor(api: string, bundle: Node, operations: readonly Operation[]) {
    this.#api = api;
    this.#bundle = bundle;
    this.#operations = operations;
  }

  /** Reads the contract, once. That it cannot be read is told by whoever asks for a view of it. */
  read(): Promise<void> {
    this.#reading ??= this.#read().catch((error: unknown) => {
      this.#failure = error;
    });
    return this.#reading;
  }

  /** Prism's view of an operation. Throws `PrismUnread` where the contract has not been read yet. */
  view(operationId: string): PrismView {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#views === undefined) throw new PrismUnread(this);
    const view = this.#views.get(operationId);
    if (view === undefined) throw new ContractError(`${this.#api}: Prism does not read ${operationId}`);
    return view;
  }

  async #read(): Promise<void> {
    const { viewsOf } = await import('./prism.ts');
    const views = await viewsOf(this.#bundle, this.#operations);
    const known = this.#operations.map(({ operationId }, at) => [operationId, views[at]] as const);
    this.#views = new Map(known.filter((each): each is [string, PrismView] => each[1] !== undefined));
  }
}
