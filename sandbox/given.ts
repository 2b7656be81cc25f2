import type { components } from '../generated/sandbox/types.ts';
import type { Check } from './contract/schemas.ts';
import { addressProblem, isRange, localAddresses } from './runtime/address.ts';

/** Something that the sandbox was started with cannot be. The message is for the operator. */
export class OptionError extends Error {}

/** What the operator may say at the start about calls to others. */
export interface CallOptions {
  /** Where the client is; left out, what the data says, at first the reference client. */
  readonly clientUrl?: string;
  /** The service token that the platform shows the client. */
  readonly clientToken?: string;
  /** Ranges (CIDR) that may be called beside public addresses. Left out: this machine's loopback (OP-60). */
  readonly allowedAddresses?: readonly string[];
}

/** The settings that were given at the start; a reset goes back to them. */
export type GivenSettings = Pick<components['schemas']['Settings'], 'client_url' | 'client_token'>;

/** Ranges that may be called. Throws `OptionError` when one is none. */
export function allowedOf({ allowedAddresses = localAddresses }: CallOptions): readonly string[] {
  for (const range of allowedAddresses) {
    if (!isRange(range)) throw new OptionError(`${range} is not an address range such as 10.0.0.0/8.`);
  }
  return allowedAddresses;
}

/**
 * The settings among the options, under the rules of a change through the control API. Throws `OptionError` when one is
 * refused. Credentials are not repeated in the message.
 */
export function givenSettings(options: CallOptions, check: Check): Partial<GivenSettings> {
  const { clientUrl, clientToken } = options;
  const given = {
    ...(clientUrl !== undefined && { client_url: clientUrl }),
    ...(clientToken !== undefined && { client_token: clientToken }),
  };
  const found = check(given);
  if (found?.where === '/client_token') throw new OptionError(`The client token ${found.problem}.`);
  const problem = found?.problem ?? (clientUrl && addressProblem(clientUrl, allowedOf(options)));
  if (problem) throw new OptionError(`The client address ${clientUrl?.replace(/\/\/.*@/, '//***@')} ${problem}.`);
  return given;
}
