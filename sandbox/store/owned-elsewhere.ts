import { StoreError } from './store.ts';

/** Somebody else has the books, and lives. */
export class OwnedElsewhere extends StoreError {
  /**
   * @param name what a message calls the books
   * @param address where their owner is
   */
  constructor(name: string, address: string) {
    super('locked', `${name} is run by another instance (${address}), which is alive`);
  }
}
