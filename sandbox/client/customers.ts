import type { Tx } from '../store/store.ts';
import type { ClientCaller } from './access.ts';
import type { ClientBooks, Customer } from './books.ts';

/** The customer with this uid, for whoever holds that customer's token or the service token (OP-17, OP-44). */
export function customerFor(
  reader: Pick<Tx<ClientBooks>, 'get'>,
  caller: ClientCaller,
  uid: string,
): Customer | { readonly kind: 'token_invalid' } | { readonly kind: 'unknown_customer' } {
  if (caller.kind === 'customer' && caller.uid !== uid) return { kind: 'token_invalid' };
  return reader.get('customers', uid) ?? { kind: 'unknown_customer' };
}

/** The refusal of a code that is not the project's; `where` names the field (OP-122). */
export function unknownProject(where: string) {
  return { kind: 'unknown_project', where, problem: 'must be the project code in the profile' } as const;
}
