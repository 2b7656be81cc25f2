import { Ajv2020 } from 'ajv/dist/2020.js';

/** How often this process validated, parsed and serialised. */
export interface MessageWork {
  /** Calls of a validator that Ajv compiled; the schemas within its schema do not count. */
  readonly validations: number;
  /** Calls of `JSON.parse`. */
  readonly parses: number;
  /** Calls of `JSON.stringify`. */
  readonly texts: number;
}

const none: MessageWork = { validations: 0, parses: 0, texts: 0 };

/**
 * Counts validations, parses and texts, by wrapping the functions that make them. Start it before the code that it counts is
 * imported: a reference to the original that was taken before is not seen.
 */
export class MessageCounter {
  readonly #json = { parse: JSON.parse, stringify: JSON.stringify };
  readonly #ajv = { compile: Ajv2020.prototype.compile, getSchema: Ajv2020.prototype.getSchema };
  #counts = none;

  start(): void {
    JSON.parse = this.#counted('parses', JSON.parse);
    JSON.stringify = this.#counted('texts', JSON.stringify);
    Ajv2020.prototype.compile = this.#withCounted(Ajv2020.prototype.compile);
    Ajv2020.prototype.getSchema = this.#withCounted(Ajv2020.prototype.getSchema);
  }

  /** Restores the originals. */
  stop(): void {
    Object.assign(JSON, this.#json);
    Object.assign(Ajv2020.prototype, this.#ajv);
  }

  /** Returns the counts and sets them to zero. */
  take(): MessageWork {
    const taken = this.#counts;
    this.#counts = none;
    return taken;
  }

  /** A function whose calls count. It has the properties of the original: Ajv reports errors as one. */
  #counted<F extends object>(kind: keyof MessageWork, original: F): F {
    return new Proxy(original, {
      apply: (target, self, given) => {
        this.#counts = { ...this.#counts, [kind]: this.#counts[kind] + 1 };
        return Reflect.apply(target as () => unknown, self, given);
      },
    });
  }

  /** A method of Ajv whose validators count. */
  #withCounted<F extends object>(method: F): F {
    return new Proxy(method, {
      apply: (target, self, given) => {
        const validator = Reflect.apply(target as () => object | undefined, self, given);
        return validator && this.#counted('validations', validator);
      },
    });
  }
}
