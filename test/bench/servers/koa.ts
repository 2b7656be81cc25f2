/**
 * A Koa server that replies to every call with the object in a file, serialised for each call. Usage: `node koa.ts FILE`. Prints its
 * address as JSON.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';
import Koa from 'koa';

const page = JSON.parse(readFileSync(argv[2] ?? '', 'utf8')) as object;
const app = new Koa();
app.use((context) => {
  context.body = page;
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
