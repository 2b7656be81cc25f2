import type { Profile } from './portal-orders.ts';

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

/** States and union territories by their code, as GST numbers them. */
export const stateNames: ReadonlyMap<string, string> = new Map([
  ['35', 'Andaman and Nicobar Islands'],
  ['37', 'Andhra Pradesh'],
  ['12', 'Arunachal Pradesh'],
  ['18', 'Assam'],
  ['10', 'Bihar'],
  ['4', 'Chandigarh'],
  ['22', 'Chhattisgarh'],
  ['26', 'Dadra and Nagar Haveli and Daman and Diu'],
  ['7', 'Delhi'],
  ['30', 'Goa'],
  ['24', 'Gujarat'],
  ['6', 'Haryana'],
  ['2', 'Himachal Pradesh'],
  ['1', 'Jammu and Kashmir'],
  ['20', 'Jharkhand'],
  ['29', 'Karnataka'],
  ['32', 'Kerala'],
  ['38', 'Ladakh'],
  ['31', 'Lakshadweep'],
  ['23', 'Madhya Pradesh'],
  ['27', 'Maharashtra'],
  ['14', 'Manipur'],
  ['17', 'Meghalaya'],
  ['15', 'Mizoram'],
  ['13', 'Nagaland'],
  ['21', 'Odisha'],
  ['34', 'Puducherry'],
  ['3', 'Punjab'],
  ['8', 'Rajasthan'],
  ['11', 'Sikkim'],
  ['33', 'Tamil Nadu'],
  ['36', 'Telangana'],
  ['16', 'Tripura'],
  ['9', 'Uttar Pradesh'],
  ['5', 'Uttarakhand'],
  ['19', 'West Bengal'],
]);
