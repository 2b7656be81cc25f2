/** Sends large numbers of calls without credentials (OP-57). */
import { Agent, get } from 'node:http';

/** Sends calls with 15 KB URLs that the sandbox refuses, 20 at a time. `each` runs after every 100 calls. */
export async function flood(origin: string, calls: number, each: () => Promise<void>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const one = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const path = `/rewards/v1/partner/rewards?call=${number}&${'x'.repeat(15_000)}`;
      const request = get(`${origin}${path}`, { agent }, (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 401) resolve();
          else reject(new Error(`answered ${response.statusCode}`));
        });
      });
      request.once('error', reject);
    });
  for (let sent = 0; sent < calls; sent += 100) {
    await Promise.all(Array.from({ length: Math.min(100, calls - sent) }, (_, at) => one(sent + at)));
    await each();
  }
  agent.destroy();
}
