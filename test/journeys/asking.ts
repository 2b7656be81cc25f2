/** Builds requests to any operation from the contract's examples. A journey can modify a request to provoke a refusal. */
import { expect } from 'vitest';
import { registry, type ServerName, serverNames } from '../../sandbox/apis/registry.ts';
import type { CheckedOperation } from '../../sandbox/conformance/contracts.ts';
import { Callers } from '../harness/callers.ts';
import { type Draft, example } from '../harness/exchanges.ts';
import type { ProxiedSandbox } from '../harness/proxied.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { type Reply, Wire } from '../harness/wire.ts';

/** Modifies an example before it is sent. */
export type Change = (draft: Draft, operation: CheckedOperation) => void;

/** Session handles, as they appear in a site's paths. */
export type Sessions = Partial<Record<ServerName, string>>;

/** Returns the operations of the given servers (default: all) that document a status in the sandbox's format. */
export async function documenting(status: number, names: readonly ServerName[] = serverNames) {
  const { contracts } = sharedChecker();
  const ours = names.flatMap((name) => contracts[name]).map((operation) => operation.asHost ?? operation);
  return ours.filter(({ replies }) => replies.has(status));
}

/** Sends requests to a sandbox behind its proxy, and records the findings that they should cause. */
export class Asking {
  readonly #sandbox: ProxiedSandbox;
  readonly #callers: Callers;
  readonly #wire: Wire;
  /** The session handles for page requests, by site. */
  sessions: Sessions = {};
  #expectedFindings: string[] = [];

  private constructor(sandbox: ProxiedSandbox, callers: Callers) {
    this.#sandbox = sandbox;
    this.#callers = callers;
    this.#wire = new Wire(sandbox.origin);
  }

  static async of(sandbox: ProxiedSandbox): Promise<Asking> {
    return new Asking(sandbox, await Callers.signedIn(sandbox));
  }

  /**
   * Sends an operation's example, with an optional change, as an authorized caller. Expects the given status. `code` is
   * the finding that the request itself should cause.
   */
  async expect(status: number, operation: CheckedOperation, change?: Change, code?: string): Promise<void> {
    const { operationId } = operation;
    const reply = await this.send(operation, change);
    expect([operationId, reply.status, reply.text.slice(0, 300)]).toEqual([operationId, status, expect.any(String)]);
    if (code !== undefined) this.#expectedFindings.push(`${operationId} ${code}`);
  }

  /** Sends an operation's example, with an optional change, as an authorized caller. */
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

  /** Calls `expect` for every operation that documents the status. */
  async expectAll(
    status: number,
    names: readonly ServerName[] | undefined,
    change?: Change,
    code?: string,
  ): Promise<void> {
    for (const operation of await documenting(status, names)) await this.expect(status, operation, change, code);
  }

  /** Closes the sandbox. Expects exactly the findings that the requests should cause, and none about a reply. */
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
    ).toEqual(this.#expectedFindings.toSorted());
  }
}

/** Sends `Authorization` twice. */
export const duplicateAuthorization: Change = ({ request: { headers } }) => {
  const { authorization = 'Bearer x' } = headers;
  headers.authorization = `${authorization}\n${authorization}`;
};

/** Replaces the credential with a well-formed one that was never issued. A credential in the body is already invalid in the example. */
export const unknownCredential: Change = ({ request: { headers } }) => {
  const [form = ''] = (headers.authorization ?? '').split(' ');
  headers.authorization = `${form} ${btoa('no:body')}`;
};

/** Adds an unknown field that exceeds the size limit of a body. */
export const oversized: Change = ({ request }) => {
  const padding = 'x'.repeat(70_000);
  request.body =
    typeof request.body === 'string' ? `${request.body}&padding=${padding}` : { ...(request.body as object), padding };
};

/** Sends the body with an undocumented media type. */
export const undocumentedType: Change = ({ request }) => {
  request.headers['content-type'] = 'text/plain';
};

/** Replaces the resource names in path, query and body with names that do not exist. */
export const missingResource: Change = (draft, { path }) => {
  const session = /^\/s\/[^/]+/.exec(draft.path)?.[0] ?? '';
  const template = path.replace(/^\/s\/\{session\}/, '');
  draft.path = session + template.replaceAll(/\{\w+\}/g, 'NOTHING-1');
  // A request identifies an order by only one of its two ids.
  delete draft.query.redeem_code;
  for (const name of ['sku', 'webhook_id']) if (name in draft.query) draft.query[name] = 'NOTHING-1';
};
