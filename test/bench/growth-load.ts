import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Ready } from './growth-sandbox.ts';

type Call = () => Promise<unknown>;

/** The actions of the stages on a sandbox. */
export interface Subject {
  readonly origin: string;
  /** Places an order of one voucher. */
  readonly order: Call;
  /** Reads a page of 50 rewards. */
  readonly page: Call;
  readonly health: Call;
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Sets up a customer with points, an item with stock and no quota. */
  prepare(): Promise<void>;
  /** Runs all due jobs; returns their number. */
  settle(): Promise<number>;
  /** Calls repeatedly until `work` is done: its result, and the longest duration of a call, in milliseconds. */
  during<R>(call: Call, work: () => Promise<R>): Promise<{ result: R; longest: number }>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const sku = 'EGV-SPICE-100';

function call(method: string, url: string, headers: Record<string, string>, body?: unknown): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
  const sent = request(url, { method, agent, headers: { ...headers, ...type } }, (response) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
    response.on('end', () => {
      const reply = Buffer.concat(parts).toString();
      if ((response.statusCode ?? 500) < 300) resolve(reply === '' ? undefined : JSON.parse(reply));
      else reject(new Error(`${method} ${url} answered ${response.statusCode} ${reply.slice(0, 200)}`));
    });
  });
  sent.on('error', reject).end(text);
  return promise;
}

export function makeSubject({ urls, token }: Ready): Subject {
  const control = (method: string, path: string, body?: unknown) => call(method, `${urls.sandbox}${path}`, {}, body);
  const authorization = { Authorization: token };
  const order = {
    uid: 'GROWTH',
    line_items: [{ sku, quantity: 1 }],
  };
  return {
    origin: new URL(urls.sandbox).origin,
    control,
    order: () => call('POST', `${urls.rewards}/v1/partner/redeemptiononskus`, authorization, order),
    page: () => call('GET', `${urls.rewards}/v1/partner/rewards?limit=50`, authorization),
    health: () => control('GET', '/health'),
    async prepare() {
      await control('PATCH', '/workspace', { settings: { rate_limit: 1_000_000 } });
      await control('POST', '/customers', { uid: 'GROWTH', points: { balance: 900_000_000 } });
      await control('PATCH', `/catalogue/${sku}`, { stock: 900_000_000 });
    },
    async settle() {
      let ran = 0;
      // In steps, so that no call is open for many minutes.
      for (;;) {
        const did = (await control('POST', '/clock/advance', { seconds: 1 })) as { ran: number };
        ran += did.ran;
        if (did.ran === 0 && ran > 0) return ran;
      }
    },
    during: async (again, work) => {
      let done = false;
      let longest = 0;
      const asking = (async () => {
        while (!done) {
          const began = performance.now();
          await again();
          longest = Math.max(longest, Math.round(performance.now() - began));
        }
      })();
      // The error is reported below, once the work is done.
      asking.catch(() => undefined);
      try {
        return { result: await work(), longest };
      } finally {
        done = true;
        await asking;
      }
    },
  };
}

/** Makes the given number of calls in lanes. Returns the rate, and the median and longest duration. */
export async function many(one: Call, count: number, lanes: number): Promise<string> {
  const times: number[] = [];
  const began = performance.now();
  let remaining = count;
  const lane = async () => {
    for (; remaining > 0; ) {
      remaining -= 1;
      const start = performance.now();
      await one();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const rate = Math.round((count / (performance.now() - began)) * 1000);
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  return `${rate}/s, middle ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** Callers that wait for an entry of the log that does not come, and 300 orders meanwhile. */
export async function waiting({ origin, order }: Subject, count: number): Promise<string> {
  const path = '/sandbox/v1/activity?wait=30&redeem_code=NONE&limit=1';
  const sockets = await openConnections(origin, count, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return during(sockets, () => many(order, 300, 10));
}

/** Callers that request the largest page of the log and read nothing, and 300 orders meanwhile. */
export async function deaf({ origin, order, control }: Subject, count: number): Promise<string> {
  let limit = 10_000;
  while (
    limit > 1 &&
    (await control('GET', `/activity?limit=${limit}`).then(
      () => false,
      () => true,
    ))
  )
    limit /= 10;
  const sockets = await openConnections(
    origin,
    count,
    `GET /sandbox/v1/activity?limit=${limit} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  );
  return during(sockets, () => many(order, 300, 10));
}

/** Silent open connections, and 300 orders meanwhile. */
export async function idle({ origin, order }: Subject, count: number): Promise<string> {
  return during(await openConnections(origin, count, ''), () => many(order, 300, 10));
}

async function during(sockets: readonly Socket[], work: () => Promise<string>): Promise<string> {
  try {
    await wait(1000);
    return `orders meanwhile ${await work()}`;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function openConnections(origin: string, count: number, text: string): Promise<Socket[]> {
  const { hostname, port } = new URL(origin);
  const sockets: Socket[] = [];
  for (let number = 0; number < count; number += 1) {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    sockets.push(socket);
  }
  return sockets;
}

/** The bytes of all files below a folder. */
export async function folderSize(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // A file can disappear while the folder is read: a checkpoint replaces the log.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
