/**
 * Creates workspaces for ten seconds, ten at a time, or until one is refused. Usage: `node make-workspaces.ts URL`. Prints
 * how many, in how many seconds, and the status of a refusal, as JSON.
 */
import { Agent, request } from 'node:http';
import { argv } from 'node:process';

const url = argv[2] ?? '';
const [lanes, milliseconds] = [10, 10_000];
const agent = new Agent({ keepAlive: true, maxSockets: lanes });

function make(): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent }, (response) => {
      response
        .on('error', reject)
        .on('end', () => resolve(response.statusCode ?? 0))
        .resume();
    });
    sent.on('error', reject).end();
  });
}

let [made, refused, last] = [0, 0, 0];
const began = performance.now();
const lane = async () => {
  while (refused === 0 && performance.now() < began + milliseconds) {
    const status = await make();
    const took = performance.now() - began;
    if (status !== 201) refused = status;
    else if (took <= milliseconds) [made, last] = [made + 1, took];
  }
};
await Promise.all(Array.from({ length: lanes }, lane));
agent.destroy();
console.log(JSON.stringify({ made, refused, seconds: last / 1000 }));
