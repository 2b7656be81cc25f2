/** A webhook receiver for a test. */
import type { IncomingHttpHeaders } from 'node:http';
import { serve } from './http-server.ts';
import { ok, type TestSandbox } from './sandbox.ts';

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Registers a receiver that replies with each of `statuses` in turn and then repeats the last one. Status 0 breaks the connection. */
export async function receiver(sandbox: TestSandbox, statuses: readonly number[] = [204]) {
  const received: Delivery[] = [];
  const url = await serve((request, body, response) => {
    received.push({ headers: request.headers, body });
    const status = statuses[received.length - 1] ?? statuses.at(-1) ?? 204;
    if (status === 0) return request.socket.destroy();
    response.writeHead(status, { location: '/elsewhere' });
    response.end();
  });
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const { secret, webhook_id } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url: `${url}/hooks?a=b` } }));
  return { received, secret, webhook_id };
}

/** Removes a registered address. */
export async function unregister(sandbox: TestSandbox, webhook_id: string): Promise<void> {
  const rewards = sandbox.rewards(await sandbox.companyToken());
  await rewards.DELETE('/v1/partner/webhooks', { params: { query: { webhook_id } } });
}
