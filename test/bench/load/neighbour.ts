/**
 * Calls a server from a separate process for a number of seconds. Each connection sends its next call after it has received the previous
 * reply. Usage: `node neighbour.ts CALLS`. Prints its figures as one line of JSON.
 */
import { Agent, request } from 'node:http';
import { argv } from 'node:process';

/** The calls of one neighbour. */
export interface Calls {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of each call, in Base64. Without a body, the neighbour sends GET requests, page by page for a list. */
  readonly body?: string;
  /** The status of a successful reply. The default is 200. */
  readonly status?: number;
  readonly connections: number;
  readonly seconds: number;
}

/** The results of the calls. Times are in milliseconds. */
export interface Got {
  readonly served: number;
  readonly refused: number;
  readonly wrong: number;
  readonly p99: number;
  readonly longest: number;
}

async function run({ url, headers = {}, body, status = 200, connections, seconds }: Calls): Promise<Got> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64');
  const times: number[] = [];
  const counts = { served: 0, refused: 0, wrong: 0 };
  const once = (to: string) =>
    new Promise<string>((resolve, reject) => {
      const began = performance.now();
      const call = request(to, { method: body === undefined ? 'GET' : 'POST', agent, headers }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        reply.once('end', () => {
          times.push(performance.now() - began);
          counts[reply.statusCode === status ? 'served' : reply.statusCode === 503 ? 'refused' : 'wrong'] += 1;
          resolve(text);
        });
      });
      call.once('error', reject).end(bytes);
    });
  const until = performance.now() + seconds * 1000;
  const one = async () => {
    for (let to = url; performance.now() < until; ) {
      const next = /"next":"?([^,"}]+)/.exec(await once(to))?.[1] ?? 'null';
      to = next === 'null' ? url : `${url}&after=${next}`;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  times.sort((a, b) => a - b);
  const figures = { p99: times[Math.floor(times.length * 0.99)] ?? 0, longest: times.at(-1) ?? 0 };
  return { ...counts, p99: Math.round(figures.p99), longest: Math.round(figures.longest) };
}

console.log(JSON.stringify(await run(JSON.parse(argv[2] ?? ''))));
