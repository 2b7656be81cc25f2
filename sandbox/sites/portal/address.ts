import type { Profile } from './portal-orders.ts';
import { stateNames } from './states.ts';

/** Where a product goes, as the form has it. */
export interface Address {
  readonly address: string;
  readonly pincode: string;
  readonly state: string;
}

/** What is wrong with an address, by field. */
export type AddressProblems = Partial<Record<keyof Address, string>>;

const addressLength = 200;

/** The customer's own address, as the form first shows it. */
export function ownAddress({ address1, address2, city, pincode, state }: Profile): Address {
  const address = [address1, address2, city].filter((part) => part !== '').join(', ');
  return { address, pincode: String(pincode), state: String(state) };
}

/** What has to change before anything can be sent there; empty when nothing has to. */
export function problemsOf({ address, pincode, state }: Address): AddressProblems {
  const length = address.trim().length;
  return {
    ...(length < 5 && { address: 'Enter the house, street and city.' }),
    ...(length > addressLength && { address: `Use up to ${addressLength} characters.` }),
    ...(!/^[1-9][0-9]{5}$/.test(pincode.trim()) && { pincode: 'Enter a six-digit pincode.' }),
    ...(!stateNames.has(state) && { state: 'Choose a state.' }),
  };
}

/** The address as one text, as the order takes it (OP-05). */
export function written({ address, pincode, state }: Address): string {
  return `${address.trim()}, ${stateNames.get(state)}, ${pincode.trim()}`;
}
