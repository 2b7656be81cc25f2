/**
 * When an operation of an address is left alone for a while: after five calls in a row without a reply its circuit
 * opens, calls fail immediately for 30 s of sandbox time, and then one call probes whether the server responds again, for
 * whose end the others wait (OP-61).
 * Pure: time is a parameter.
 */

import { Interrupted } from './connections.ts';

export type Circuit =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open' | 'probing'; readonly until: number };

/**
 * Calls in a row without a reply that open a circuit, how long it stays open in milliseconds, how many circuits are stored,
 * and how many calls wait for a probe.
 */
export const circuitLimits = { failures: 5, openFor: 30_000, circuits: 1000, waiting: 1000 } as const;

/** The end of a probe, and how many calls wait for it. */
interface Probe extends PromiseWithResolvers<void> {
  waiting: number;
}

export const closedCircuit: Circuit = { kind: 'closed', failures: 0 };

/** Admits a call, refuses it for the reason in `refusal`, or has it wait for the probe: and the circuit afterwards. */
export function admit(
  circuit: Circuit,
  now: number,
): { readonly circuit: Circuit; readonly refusal?: string; readonly waits?: true } {
  if (circuit.kind === 'closed') return { circuit };
  if (circuit.kind === 'probing') return { circuit, waits: true };
  // Further away than a circuit stays open is an instant that a clock left which was set back since.
  const over = now >= circuit.until || circuit.until - now > circuitLimits.openFor;
  if (over) return { circuit: { ...circuit, kind: 'probing' } };
  return { circuit, refusal: `circuit open until ${new Date(circuit.until).toISOString()}` };
}

/** After a call that went ahead got no reply. */
export function afterFailure(circuit: Circuit, now: number): Circuit {
  // One of the calls that were in progress when the circuit opened.
  if (circuit.kind === 'open') return circuit;
  const failures = circuit.kind === 'closed' ? circuit.failures + 1 : circuitLimits.failures;
  if (failures < circuitLimits.failures) return { kind: 'closed', failures };
  return { kind: 'open', until: now + circuitLimits.openFor };
}

/** The key of a circuit: one operation at one address. */
export function circuitOf(operation: string, url: URL): string {
  return `${operation} ${url.origin}${url.pathname}`;
}

/** After a call that went ahead was never made: the state of the other side stays unknown, and a probe is still due. */
export function afterUntried(circuit: Circuit): Circuit {
  return circuit.kind === 'probing' ? { ...circuit, kind: 'open' } : circuit;
}

/** The circuits of the operations that do not answer, by `circuitOf`; the newest of them. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();
  /** The ends of probes that calls wait for. */
  readonly #probes = new Map<string, Probe>();
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
      const { circuit, refusal, waits } = admit(this.#circuits.get(key) ?? closedCircuit, this.#now());
      if (refusal !== undefined) throw new Error(refusal);
      if (waits === undefined) {
        if (circuit !== closedCircuit) this.#circuits.set(key, circuit);
        return;
      }
      const probe = this.#probes.get(key) ?? { ...Promise.withResolvers<void>(), waiting: 0 };
      if (probe.waiting === circuitLimits.waiting) {
        throw new Interrupted('not_sent', `${probe.waiting} calls are already waiting for a probe of this address`);
      }
      probe.waiting += 1;
      this.#probes.set(key, probe);
      await probe.promise;
    }
  }

  answered(key: string): void {
    this.#circuits.delete(key);
    this.#release(key);
  }

  failed(key: string): void {
    const circuit = this.#circuits.get(key) ?? closedCircuit;
    this.#circuits.delete(key);
    this.#circuits.set(key, afterFailure(circuit, this.#now()));
    this.#release(key);
    const [oldest] = this.#circuits.keys();
    if (this.#circuits.size > circuitLimits.circuits && oldest !== undefined) this.answered(oldest);
  }

  untried(key: string): void {
    const circuit = this.#circuits.get(key);
    if (circuit === undefined) return;
    this.#circuits.set(key, afterUntried(circuit));
    this.#release(key);
  }

  /** Closes all. */
  clear(): void {
    this.#circuits.clear();
    for (const key of this.#probes.keys()) this.#release(key);
  }

  /** Lets the calls that wait for a probe ask again. */
  #release(key: string): void {
    this.#probes.get(key)?.resolve();
    this.#probes.delete(key);
  }
}
