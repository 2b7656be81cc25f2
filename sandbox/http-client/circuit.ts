/**
 * When an operation of an address is left alone for a while: after five calls in a row without a reply its circuit
 * opens, calls fail immediately for 30 s of sandbox time, and then one call probes whether the server responds again (OP-61).
 * Pure: time is a parameter.
 */

export type Circuit =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open' | 'probing'; readonly until: number };

/**
 * Calls in a row without a reply that open a circuit, how long it stays open in milliseconds, and how many circuits are stored.
 */
export const circuitLimits = { failures: 5, openFor: 30_000, circuits: 1000 } as const;

export const closedCircuit: Circuit = { kind: 'closed', failures: 0 };

/** Admits or refuses a call: the circuit afterwards, and the reason of a refusal. */
export function admit(circuit: Circuit, now: number): { readonly circuit: Circuit; readonly refusal?: string } {
  if (circuit.kind === 'closed') return { circuit };
  // Further away than a circuit stays open is an instant that a clock left which was set back since.
  const over = now >= circuit.until || circuit.until - now > circuitLimits.openFor;
  if (circuit.kind === 'open' && over) return { circuit: { ...circuit, kind: 'probing' } };
  const until = new Date(circuit.until).toISOString();
  const refusal =
    circuit.kind === 'open' ? `circuit open until ${until}` : `circuit open since ${until}, probe in progress`;
  return { circuit, refusal };
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
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Why a call may not start; undefined if it may: then report its result with `answered`, `failed` or `untried`.
   */
  ask(key: string): string | undefined {
    const { circuit, refusal } = admit(this.#circuits.get(key) ?? closedCircuit, this.#now());
    if (circuit !== closedCircuit) this.#circuits.set(key, circuit);
    return refusal;
  }

  answered(key: string): void {
    this.#circuits.delete(key);
  }

  failed(key: string): void {
    const circuit = this.#circuits.get(key) ?? closedCircuit;
    this.#circuits.delete(key);
    this.#circuits.set(key, afterFailure(circuit, this.#now()));
    const [oldest] = this.#circuits.keys();
    if (this.#circuits.size > circuitLimits.circuits && oldest !== undefined) this.#circuits.delete(oldest);
  }

  untried(key: string): void {
    const circuit = this.#circuits.get(key);
    if (circuit !== undefined) this.#circuits.set(key, afterUntried(circuit));
  }

  /** Closes all. */
  clear(): void {
    this.#circuits.clear();
  }
}
