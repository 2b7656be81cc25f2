import { Ajv2020 } from 'ajv/dist/2020.js';

/** Numbers of validations, parses and serializations in this process. */
export interface MessageWork {
  /** Calls to compiled Ajv validators. Nested schemas do not count separately. */
  readonly validations: number;
  /** Calls to `JSON.parse`. */
  readonly parses: number;
  /** Calls to `JSON.stringify`. */
  readonly texts: number;
}

const none: MessageWork = { validations: 0, parses: 0, texts: 0 };

/**
 * Counts validations, parses and serializations by wrapping the functions that perform them. Start the counter before
 * importing the measured code, because earlier references to the original functions are not counted.
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

  /** Restores the original functions. */
  stop(): void {
    Object.assign(JSON, this.#json);
    Object.assign(Ajv2020.prototype, this.#ajv);
  }

  /** Returns the counts and resets them to zero. */
  take(): MessageWork {
    const taken = this.#counts;
    this.#counts = none;
    return taken;
  }

  /** Wraps a function to count its calls. A proxy retains the function's properties, which Ajv uses to report errors. */
  #counted<F extends object>(kind: keyof MessageWork, original: F): F {
    return new Proxy(original, {
      apply: (target, self, given) => {
        this.#counts = { ...this.#counts, [kind]: this.#counts[kind] + 1 };
        return Reflect.apply(target as () => unknown, self, given);
      },
    });
  }

  /** Wraps an Ajv method so that the validators it returns count their calls. */
  #withCounted<F extends object>(method: F): F {
    return new Proxy(method, {
      apply: (target, self, given) => {
        const validator = Reflect.apply(target as () => object | undefined, self, given);
        return validator && this.#counted('validations', validator);
      },
    });
  }
}
