/** The Standard Webhooks library of Python accepts the sandbox's webhooks, on any clock, and rejects changed ones. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { installPython, pythonCommand } from './python.ts';
import { controlOf, dataOf, rewardsOf, withSandbox } from './running.ts';
import { command, type Tool } from './tool.ts';

const version = '1.1.0';
const script = fileURLToPath(new URL('verify_webhook.py', import.meta.url));

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const clocks = [
  { clock: 'running', moved: 0 },
  { clock: 'running', moved: 86_400 },
  { clock: 'frozen', moved: 0 },
  { clock: 'frozen', moved: 86_400 },
] as const;

export const standardWebhooks: Tool = {
  name: 'standardwebhooks-python',
  version,
  needs: ['python3'],
  file: 'standardwebhooks/bin/python',
  install: (tools) => installPython(tools, 'standardwebhooks', [`standardwebhooks==${version}`]),
  async run(tools, work) {
    for (const { clock, moved } of clocks) {
      const env = { WEBHOOK: JSON.stringify(await sent(clock, moved)) };
      await command(pythonCommand(tools, 'standardwebhooks', 'python'), [script], { cwd: work, env });
    }
    return clocks.map(({ clock, moved }) => `clock ${clock}, moved by ${moved} s`).join('; ');
  },
};

/** The webhook of a sandbox to a registered address when an item changes, and the secret of that address. */
function sent(clock: 'running' | 'frozen', moved: number): Promise<Delivery & { secret: string }> {
  return withSandbox({ clock }, async (sandbox) => {
    const control = controlOf(sandbox);
    if (moved > 0) dataOf(await control.POST('/clock/advance', { body: { seconds: moved } }));
    const receiver = await receiving();
    try {
      const rewards = await rewardsOf(sandbox);
      const { secret } = dataOf(await rewards.POST('/v1/partner/webhooks', { body: { url: receiver.url } }));
      const path = { sku_code: 'EGV-SPICE-500' };
      dataOf(await control.PATCH('/catalogue/{sku_code}', { params: { path }, body: { stock: 7 } }));
      if (clock === 'frozen') dataOf(await control.POST('/clock/advance', { body: { seconds: 0 } }));
      return { ...(await receiver.first), secret };
    } finally {
      receiver.close();
    }
  });
}

/** A server that receives one delivery. */
async function receiving() {
  const { promise: first, resolve } = Promise.withResolvers<Delivery>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204).end();
      resolve({ headers: request.headers, body: Buffer.concat(parts).toString() });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, first, close: () => server.close() };
}
