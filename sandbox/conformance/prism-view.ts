/** What Prism says about one place of a message. */
export interface Diagnostic {
  readonly path?: readonly (string | number)[];
  readonly code?: string | number;
  readonly message: string;
}

/** A request as Prism takes it. */
export interface Element {
  readonly method: string;
  readonly url: { readonly path: string; readonly query?: Readonly<Record<string, string | string[]>> };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What Prism has to say about an operation's messages; nothing where all is well. */
export interface PrismView {
  request(element: Element): readonly Diagnostic[];
  credentials(element: Element): readonly Diagnostic[];
  reply(element: {
    statusCode: number;
    headers: Readonly<Record<string, string>>;
    body: unknown;
  }): readonly Diagnostic[];
  /** About the headers of a reply alone, and about its body alone. */
  headers(status: number, values: Readonly<Record<string, string>>): readonly Diagnostic[];
  body(status: number, value: unknown, type: string | undefined): readonly Diagnostic[];
}

/** A contract that cannot be checked against. Nothing is called clean on its account. */
export class ContractError extends Error {}

/** What can be read once it is needed. */
export interface Readable {
  read(): Promise<void>;
}

/** A verdict needs a contract that Prism has not read yet. */
export class PrismUnread extends Error {
  readonly contract: Readable;

  constructor(contract: Readable) {
    super('Prism has not read the contract');
    this.contract = contract;
  }
}

/** Judges; where that needs a contract that Prism has not read yet, once it has. */
export function onceRead<T>(judge: () => T): T | Promise<T> {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof PrismUnread)) throw error;
    return error.contract.read().then(() => onceRead(judge));
  }
}
