/**
 * When an operation of an address is left alone for a while: after five calls in a row without a reply its circuit
 * opens, calls fail immediately for 30 s of sandbox time, and then one call probes whether the server responds again, for
 * whose end the others wait (OP-61).
 */

import { Interrupted } from './connections.ts';

/**
 * Calls in a row without a reply that open a circuit, how long it stays open in milliseconds, how many circuits are stored,
 * and how many calls wait for a probe.
 */
export const circuitLimits = { failures: 5, openFor: 30_000, circuits: 1000, waiting: 1000 } as const;

/** An operation that did not answer. */
interface Circuit {
  failures: number;
  /** Until when it is open; undefined while it is closed. */
  until: number | undefined;
  /** The end of a probe in progress, and how many calls wait for it. */
  probe: (PromiseWithResolvers<void> & { waiting: number }) | undefined;
}

/** The key of a circuit: one operation at one address. */
export function circuitOf(operation: string, url: URL): string {
  return `${operation} ${url.origin}${url.pathname}`;
}

/** The circuits of the operations that do not answer, by `circuitOf`; the newest of them. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Resolves when a call may start: then report its result with `answered`, `failed` or `untried`. Rejects with the
   * reason why it may not. Waits for the end of a probe.
   */
  async ask(key: string): Promise<void> {
    for (;;) {
      const circuit = this.#circuits.get(key);
      if (circuit?.until === undefined) return;
      const { until, probe } = circuit;
      if (probe === undefined) {
        const now = this.#now();
        // Further away than a circuit stays open is an instant that a clock left which was set back since.
        const isOver = now >= until || until - now > circuitLimits.openFor;
        if (!isOver) throw new Error(`circuit open until ${new Date(until).toISOString()}`);
        circuit.probe = { ...Promise.withResolvers<void>(), waiting: 0 };
        return;
      }
      if (probe.waiting === circuitLimits.waiting) {
        throw new Interrupted('not_sent', `${probe.waiting} calls are already waiting for a probe of this address`);
      }
      probe.waiting += 1;
      await probe.promise;
    }
  }

  answered(key: string): void {
    const circuit = this.#circuits.get(key);
    this.#circuits.delete(key);
    endProbe(circuit);
  }

  failed(key: string): void {
    const circuit = this.#circuits.get(key) ?? { failures: 0, until: undefined, probe: undefined };
    this.#circuits.delete(key);
    this.#circuits.set(key, circuit);
    circuit.failures += 1;
    // One of the calls that were in progress when the circuit opened does not prolong it.
    const isStillOpen = circuit.until !== undefined && circuit.probe === undefined;
    if (circuit.failures >= circuitLimits.failures && !isStillOpen) circuit.until = this.#now() + circuitLimits.openFor;
    endProbe(circuit);
    const [oldest] = this.#circuits.keys();
    if (this.#circuits.size > circuitLimits.circuits && oldest !== undefined) this.answered(oldest);
  }

  /** After a call that was never made: the state of the other side stays unknown, and a probe is still due. */
  untried(key: string): void {
    endProbe(this.#circuits.get(key));
  }

  /** Closes all. */
  clear(): void {
    for (const key of this.#circuits.keys()) this.answered(key);
  }
}

/** Lets the calls that wait for a probe ask again. */
function endProbe(circuit: Circuit | undefined): void {
  circuit?.probe?.resolve();
  if (circuit !== undefined) circuit.probe = undefined;
}
