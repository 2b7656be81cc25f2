import type { components } from '../../generated/sandbox/types.ts';

type Fault = components['schemas']['Fault'];

/** A fault that one call meets. */
export interface MetFault extends Pick<Fault, 'id' | 'fault' | 'ms' | 'status'> {
  /** The failure that a `status` answers; left out, the first that is documented. */
  readonly failure?: string;
}

/** Whom and what a call is about, as far as its body says so. */
export interface About {
  readonly customer?: string;
  readonly amount?: string;
  readonly transactionId?: string;
}

/** A fault that calls about a customer or a payment meet, for good (OP-72). */
export interface StandingFault extends MetFault {
  readonly target: string;
  readonly meets: (about: About) => boolean;
  /** How many calls about one transaction meet it; left out, all. */
  readonly times?: number;
}

/** Where an operation learns what its calls meet (OP-70). */
export interface FaultPort {
  /** Takes the fault that a call of this operation meets, so that no other call meets it; undefined for none. */
  take(operationId: string, about: About): Promise<MetFault | undefined>;
  /** Whether it matters whom or what a call of this operation is about. */
  asksAbout(operationId: string): boolean;
  /** Waits real milliseconds; less when the sandbox ends. */
  wait(milliseconds: number): Promise<void>;
  /** Resolves when a call behind the one that is held back was carried out, or when that took too long. */
  turn(operationId: string): Promise<void>;
  /** For a call that begins: what lets go of the call that is held back before it, to be called once it was carried out. */
  behind(operationId: string): () => void;
}
