/** Requests to any operation, made of its contract's own examples, and spoilt where a journey wants a refusal. */
import { expect } from 'vitest';
import { registry, type ServerName, serverNames } from '../../sandbox/apis/registry.ts';
import type { CheckedOperation } from '../../sandbox/conformance/contracts.ts';
import { Callers } from '../harness/callers.ts';
import { type Draft, example } from '../harness/exchanges.ts';
import type { ProxiedSandbox } from '../harness/proxied.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { type Reply, Wire } from '../harness/wire.ts';

/** What is made of an example before it is sent. */
export type Change = (draft: Draft, operation: CheckedOperation) => void;

/** The handle of a session, as it stands in the paths of a site. */
export type Sessions = Partial<Record<ServerName, string>>;

/** The operations that document a status in the sandbox's form, at the servers named; all where none is. */
export async function documenting(status: number, names: readonly ServerName[] = serverNames) {
  const { contracts } = sharedChecker();
  const ours = names.flatMap((name) => contracts[name]).map((operation) => operation.asHost ?? operation);
  return ours.filter(({ replies }) => replies.has(status));
}

/** Sends requests to a sandbox behind its proxy, and notes what their caller will be blamed for. */
export class Asking {
  readonly #sandbox: ProxiedSandbox;
  readonly #callers: Callers;
  readonly #wire: Wire;
  /** The session that pages are asked for with, by site. */
  sessions: Sessions = {};
  #blamed: string[] = [];

  private constructor(sandbox: ProxiedSandbox, callers: Callers) {
    this.#sandbox = sandbox;
    this.#callers = callers;
    this.#wire = new Wire(sandbox.origin);
  }

  static async of(sandbox: ProxiedSandbox): Promise<Asking> {
    return new Asking(sandbox, await Callers.signedIn(sandbox));
  }

  /**
   * Sends an operation's example as somebody who may, changed. The reply must have this status; `code` is the finding
   * that the request itself deserves.
   */
  async expect(status: number, operation: CheckedOperation, change?: Change, code?: string): Promise<void> {
    const { operationId } = operation;
    const reply = await this.send(operation, change);
    expect([operationId, reply.status, reply.text.slice(0, 300)]).toEqual([operationId, status, expect.any(String)]);
    if (code !== undefined) this.#blamed.push(`${operationId} ${code}`);
  }

  /** Sends an operation's example as somebody who may, changed. */
  async send(operation: CheckedOperation, change: Change = () => {}): Promise<Reply> {
    const { operationId, security } = operation;
    const draft = example(operationId);
    const server = draft.server as ServerName;
    const [scheme] = security;
    if (scheme !== undefined) draft.request.headers.authorization = this.#callers.for(scheme);
    const session = this.sessions[server];
    if (session !== undefined) draft.path = draft.path.replace(/^\/s\/[^/]+/, `/s/${session}`);
    change(draft, operation);
    const { method, path, query, request } = draft;
    const search = new URLSearchParams(query).toString();
    const { body } = request;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return this.#wire.send({
      method,
      path: `${registry[server].prefix}${path}${search === '' ? '' : `?${search}`}`,
      headers: Object.entries(request.headers).flatMap(([name, values]) =>
        values.split('\n').map((one) => [name, one] as const),
      ),
      ...(text !== undefined && { body: text }),
    });
  }

  /** Every operation that documents the status, in the same way. */
  async expectAll(
    status: number,
    names: readonly ServerName[] | undefined,
    change?: Change,
    code?: string,
  ): Promise<void> {
    for (const operation of await documenting(status, names)) await this.expect(status, operation, change, code);
  }

  /** Ends it: the checker found exactly what the requests deserve, and nothing about any reply. */
  async end(): Promise<void> {
    const { findings, close } = this.#sandbox.proxy;
    this.#wire.close();
    await this.#sandbox.close();
    await close();
    expect(
      findings
        .splice(0)
        .map(({ operation, code }) => `${operation} ${code}`)
        .sort(),
    ).toEqual(this.#blamed.toSorted());
  }
}

/** Sends `Authorization` twice. */
export const twice: Change = ({ request: { headers } }) => {
  const { authorization = 'Bearer x' } = headers;
  headers.authorization = `${authorization}\n${authorization}`;
};

/** A credential of the right form that nobody gave out; where the credential is in the body, the example's is none. */
export const stranger: Change = ({ request: { headers } }) => {
  const [form = ''] = (headers.authorization ?? '').split(' ');
  headers.authorization = `${form} ${btoa('no:body')}`;
};

/** More than a body may have, in a field that nobody knows. */
export const tooMuch: Change = ({ request }) => {
  const padding = 'x'.repeat(70_000);
  request.body =
    typeof request.body === 'string' ? `${request.body}&padding=${padding}` : { ...(request.body as object), padding };
};

/** A body of a type that is not documented. */
export const notTaken: Change = ({ request }) => {
  request.headers['content-type'] = 'text/plain';
};

/** Names what is not there, in path, query and body. */
export const nothing: Change = (draft, { path }) => {
  const session = /^\/s\/[^/]+/.exec(draft.path)?.[0] ?? '';
  const known = path.replace(/^\/s\/\{session\}/, '');
  draft.path = session + known.replaceAll(/\{\w+\}/g, 'NOTHING-1');
  // An order is asked for by one of its two names.
  delete draft.query.redeem_code;
  for (const name of ['sku', 'webhook_id']) if (name in draft.query) draft.query[name] = 'NOTHING-1';
};
