/** What Prism says about one place of a message. */
export interface Diagnostic {
  readonly path?: readonly (string | number)[];
  readonly code?: string | number;
  readonly message: string;
}

/** A request as Prism takes it. */
export interface Element {
  readonly method: string;
  readonly url: { readonly path: string; readonly query: Readonly<Record<string, string | string[]>> };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What Prism has to say about an operation's messages; nothing where all is well. */
export interface PrismView {
  request(element: Element): readonly Diagnostic[];
  credentials(element: Element): readonly Diagnostic[];
  headers(status: number, values: Readonly<Record<string, string>>): readonly Diagnostic[];
  body(status: number, value: unknown, type: string | undefined): readonly Diagnostic[];
}
