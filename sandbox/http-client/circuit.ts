/**
 * A circuit breaker for each operation at each address (OP-61). After five consecutive calls without a reply, the
 * circuit opens, and calls fail immediately for 30 s of sandbox time. Then a single call probes whether the server
 * responds again, and other calls wait for its result.
 */

import { Interrupted } from './connections.ts';

/**
 * The limits of circuit breakers: consecutive calls without a reply that open a circuit, its open time in milliseconds,
 * the number of stored circuits, and the number of calls that wait for a probe.
 */
export const circuitLimits = { failures: 5, openFor: 30_000, circuits: 1000, waiting: 1000 } as const;

/** The state of an operation that did not respond. */
interface Circuit {
  failures: number;
  /** The instant until which the circuit is open; `undefined` while it is closed. */
  until: number | undefined;
  /** The end of a probe in progress, and the number of calls that wait for it. */
  probe: (PromiseWithResolvers<void> & { waiting: number }) | undefined;
}

/** Returns the key of a circuit: one operation at one address. */
export function circuitOf(operation: string, url: URL): string {
  return `${operation} ${url.origin}${url.pathname}`;
}

/** The circuits of operations that do not respond, by `circuitOf`. The oldest are dropped first. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Resolves when a call may start. The caller must then report its result with `answered`, `failed` or `untried`.
   * Waits for a probe in progress. Rejects with the reason if the call may not start.
   */
  async ask(key: string): Promise<void> {
    for (;;) {
      const circuit = this.#circuits.get(key);
      if (circuit?.until === undefined) return;
      const { until, probe } = circuit;
      if (probe === undefined) {
        const now = this.#now();
        // If `until` is further away than `openFor`, it was set before the clock was set back.
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
    // Failures of calls that were in progress when the circuit opened do not prolong it.
    const isStillOpen = circuit.until !== undefined && circuit.probe === undefined;
    if (circuit.failures >= circuitLimits.failures && !isStillOpen) circuit.until = this.#now() + circuitLimits.openFor;
    endProbe(circuit);
    const [oldest] = this.#circuits.keys();
    if (this.#circuits.size > circuitLimits.circuits && oldest !== undefined) this.answered(oldest);
  }

  /** Reports that a call was never made. The state of the other side remains unknown, and a probe is still due. */
  untried(key: string): void {
    endProbe(this.#circuits.get(key));
  }

  /** Closes all circuits. */
  clear(): void {
    for (const key of this.#circuits.keys()) this.answered(key);
  }
}

/** Ends the probe of a circuit, so that waiting calls check it again. */
function endProbe(circuit: Circuit | undefined): void {
  circuit?.probe?.resolve();
  if (circuit !== undefined) circuit.probe = undefined;
}
