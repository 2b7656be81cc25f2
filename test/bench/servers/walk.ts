/**
 * Walks through the whole catalogue, 200 items a page. Usage: `node walk.ts URL TOKEN`. Prints how long each page took,
 * in milliseconds, and how many items there were, as JSON.
 */
import { Agent, get } from 'node:http';
import { argv } from 'node:process';

const [, , url = '', Authorization = ''] = argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function page(cursor: string): Promise<{ items: unknown[]; next_cursor: string | null }> {
  return new Promise((resolve, reject) => {
    const address = `${url}?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const sent = get(address, { agent, headers: { Authorization } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`a page is answered ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.on('error', reject);
  });
}

const times: number[] = [];
let items = 0;
for (let cursor: string | null = ''; cursor !== null; ) {
  const began = performance.now();
  const { items: found, next_cursor }: Awaited<ReturnType<typeof page>> = await page(cursor);
  times.push(Math.round((performance.now() - began) * 1000) / 1000);
  items += found.length;
  cursor = next_cursor;
}
agent.destroy();
console.log(JSON.stringify({ items, times }));
