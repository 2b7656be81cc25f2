/**
 * A node:http server that replies to every call with the bytes of a file. Usage: `node bare.ts FILE [HEADERS]`, with headers as JSON.
 * Prints its address as JSON.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';

const body = readFileSync(argv[2] ?? '');
const others = JSON.parse(argv[3] ?? '{}') as Record<string, string>;
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length, ...others };
const server = createServer((_, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
