/** Calls to a client's server that record everything that a mistake could change. */
import { request as httpRequest } from 'node:http';

/** A client's server with the customers ANN and BOB (25,000 points each) and POOR (100). */
export interface Target {
  readonly url: string;
  readonly serviceToken: string;
  readonly basic: { readonly username: string; readonly password: string };
  /** Tokens of customers, and an expired one of ANN. */
  readonly tokens: { readonly ANN: string; readonly BOB: string; readonly ended: string };
  readonly codeOf: (reference: string, uid: string) => string | undefined | Promise<string | undefined>;
  /** Advances the server's clock. */
  readonly pass: (seconds: number) => unknown;
  /** The state of the ledger, if it is accessible; otherwise only replies count. */
  readonly ledger?: () => unknown;
}

/** The parts of a call. */
export interface CallOptions {
  readonly method?: string;
  /** The Authorization header: by default the service token, null for none. */
  readonly auth?: string | null;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean;
  /** An object is sent as JSON, text unchanged. */
  readonly body?: object | string;
}

/** Calls a target and records the results, by the name of each call. */
export class Talk {
  readonly target: Target;
  readonly results: Record<string, unknown> = {};
  /** The Authorization headers of platform and microsite. */
  readonly service: string;
  readonly basic: string;

  constructor(target: Target) {
    this.target = target;
    this.service = `Bearer ${target.serviceToken}`;
    const { username, password } = target.basic;
    this.basic = `Basic ${btoa(`${username}:${password}`)}`;
  }

  /** Calls, records the reply under the name, and returns its body. */
  async call(name: string, path: string, sent: CallOptions = {}): Promise<Record<string, unknown>> {
    const { reply, body } = await this.#send(path, sent);
    this.results[name] = { reply, ...(this.target.ledger !== undefined && { ledger: this.target.ledger() }) };
    return body;
  }

  /** Sends calls concurrently, and records how often each reply arrived. */
  async callConcurrently(name: string, path: string, sent: readonly CallOptions[]): Promise<void> {
    const replies = await Promise.all(sent.map((one) => this.#send(path, one)));
    const counts: Record<string, number> = {};
    for (const { reply } of replies) {
      const text = JSON.stringify(reply);
      counts[text] = (counts[text] ?? 0) + 1;
    }
    this.results[name] = { counts, ...(this.target.ledger !== undefined && { ledger: this.target.ledger() }) };
  }

  /** Sends a complete call and disconnects before the reply. */
  async callAndAbort(path: string, body: object): Promise<void> {
    const headers = { authorization: this.service, 'content-type': 'application/json' };
    const request = httpRequest(`${this.target.url}${path}`, { method: 'POST', headers });
    const closed = new Promise((resolve) => request.on('close', resolve));
    // Disconnecting ends the request with an expected error.
    request.on('error', () => {});
    await new Promise<void>((resolve) => request.end(JSON.stringify(body), () => setTimeout(resolve, 10)));
    request.destroy();
    await closed;
  }

  async #send(
    path: string,
    { method = 'POST', auth = this.service, type = 'application/json', body, headers: more, chunked }: CallOptions,
  ) {
    const headers: Record<string, string> = { ...more, ...(auth !== null && { authorization: auth }) };
    if (body !== undefined) headers['content-type'] = type;
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    try {
      const signal = AbortSignal.timeout(5000);
      const stream = { body: new Blob([text ?? '']).stream(), duplex: 'half' as const };
      const whole = text === undefined ? {} : { body: text };
      const init = { method, headers, signal, ...(chunked === true ? stream : whole) };
      const response = await fetch(`${this.target.url}${path}`, init);
      const answer = await response.text();
      const json: Record<string, unknown> = /^[{[]/.test(answer) ? JSON.parse(answer) : {};
      const { status } = response;
      const [media, allow] = [response.headers.get('content-type'), response.headers.get('allow')];
      return { reply: { status, media: media?.replace(/;.*/, ''), allow, body: comparable(json) }, body: json };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') throw new TooLate();
      return { reply: 'broken', body: {} };
    }
  }
}

/** A reply did not arrive in time; no more calls are sent. */
export class TooLate extends Error {}

/** A body without the parts that differ between two correct servers: tokens, references, and customer data. */
function comparable(body: Record<string, unknown>): unknown {
  const { token, reference_id, mobile, profile, ...rest } = body;
  const about: Record<string, unknown> = {};
  if (token !== undefined) about.token = subject(String(token));
  if (reference_id !== undefined) about.reference_id = typeof reference_id;
  if (mobile !== undefined) about.mobile = /^\*+[0-9]{4}$/.test(String(mobile));
  if (profile !== undefined) about.profile = kinds(profile as Record<string, unknown>);
  return { ...rest, ...about };
}

function subject(token: string): unknown {
  const [, payload = '', signature] = token.split('.');
  return signature === undefined ? 'no JWT' : JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
}

function kinds(profile: Record<string, unknown>): unknown {
  const dob = /^[0-9]{2}\/[0-9]{2}\/[0-9]{4}$/.test(String(profile.dob));
  const types = Object.fromEntries(Object.entries(profile).map(([name, value]) => [name, typeof value]));
  return { ...types, uid: profile.uid, dob };
}
