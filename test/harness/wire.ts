/** An HTTP client that sends requests byte for byte over persistent connections. */
import { Agent, request } from 'node:http';

/** A request to send byte for byte, without escaping or correction. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends calls to one origin over a persistent connection. */
export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #origin: URL;

  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  /** Resolves with the reply, or only its head for an event stream. Rejects if no reply arrives. */
  send({ method, path, headers, body }: Sent): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const { hostname, port, host } = this.#origin;
    const lengthOf = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
    const flat = ['Host', host, ...headers.flat(), ...lengthOf];
    const outgoing = request({ hostname, port, method, path, headers: flat, agent: this.#agent }, (reply) => {
      const chunks: Buffer[] = [];
      const done = () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString() });
      if (reply.headers['content-type']?.startsWith('text/event-stream')) {
        done();
        reply.destroy();
        return;
      }
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', done);
      reply.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Formats the request as a curl command to paste into a shell. */
export function curl(origin: string, { method, path, headers, body }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const headerArguments = headers.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join('');
  const data = body === undefined ? '' : ` --data-binary ${quoted(body)}`;
  return `curl -i --path-as-is -X ${method}${headerArguments}${data} ${quoted(`${origin}${path}`)}`;
}
