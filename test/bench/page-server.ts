/**
 * A server that answers every call with one page, as bytes, as fast as Node can: the upstream of the proxies of the bench,
 * so that none of them waits for it. The page comes on stdin, the address goes to stdout.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stdin, stdout } from 'node:process';
import { buffer } from 'node:stream/consumers';

const page = await buffer(stdin);
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  const headers = { 'Content-Type': 'application/json', 'Content-Length': page.length, 'X-Trace-Id': 'ab'.repeat(16) };
  response.writeHead(200, headers).end(page);
});
server.listen(0, '127.0.0.1', () => {
  stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
