import type { components } from '../../generated/sandbox/types.ts';

type Fault = components['schemas']['Fault'];

/** A fault that one call meets. */
export interface MetFault extends Pick<Fault, 'id' | 'fault' | 'ms' | 'status'> {
  /** The failure that a `status` answers; left out, the first that is documented. */
  readonly failure?: string;
}

/**
 * Where an operation learns what its calls meet (OP-70). `bySandbox` says whether a sandbox made the call: that one may have
 * met its fault on its way (OP-115).
 */
export interface FaultPort {
  /** Takes the fault that a call of this operation meets, so that no other call meets it; undefined for none. */
  take(operationId: string, body: unknown, bySandbox?: boolean): Promise<MetFault | undefined>;
  /** Whether it matters what the body of a call of this operation says. */
  asksForBody(operationId: string, bySandbox?: boolean): boolean;
  /** Waits real milliseconds; less when the sandbox ends. */
  wait(milliseconds: number): Promise<void>;
  /** Resolves when a call after the delayed one was processed, or after a timeout. */
  turn(operationId: string): Promise<void>;
  /**
   * For a call that begins: releases the delayed call before it. Call it once this call was processed. Undefined where no
   * call is delayed.
   */
  behind(operationId: string, bySandbox?: boolean): (() => void) | undefined;
}
