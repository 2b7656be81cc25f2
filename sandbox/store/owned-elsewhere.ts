import { StoreError } from './store.ts';

/** Somebody else has the books, and lives. */
export class OwnedElsewhere extends StoreError {
  /**
   * @param name what a message calls the books
   * @param address where their owner is
   */
  constructor(name: string, address: string) {
    super('locked', `${name} is owned by another running instance (${address})`);
  }
}
