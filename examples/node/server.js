/** The HTTP server: settings, requests, replies and graceful shutdown. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { Ledger } from './ledger.js';
import { operations } from './operations.js';
import { messageGateway, OneTimePasswords } from './otp.js';
import { mandatory, Refused, tokenInvalid } from './refused.js';
import { Tokens } from './tokens.js';

const mostBytes = 64 * 1024;
const names = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Creates the server without listening. `env` contains the settings that the README lists. */
export function clientServer(env) {
  for (const name of ['SERVICE_TOKEN', 'BASIC_USER', 'BASIC_PASSWORD']) {
    if (!env[name]) throw new Error(`Set ${name}: the README explains it.`);
  }
  const projectCode = env.PROJECT_CODE || 'DEMO01';
  const tokens = new Tokens({
    serviceToken: env.SERVICE_TOKEN,
    basicUser: env.BASIC_USER,
    basicPassword: env.BASIC_PASSWORD,
    jwtSecret: env.JWT_SECRET || randomBytes(32),
  });
  const otps = new OneTimePasswords(Number(env.OTP_LIMIT || 5));
  const send = messageGateway(env.MESSAGE_GATEWAY_URL, env.MESSAGE_GATEWAY_AUTHORIZATION);
  const byPath = operations({ ledger: new Ledger(projectCode), tokens, otps, send, projectCode });

  async function answer(request) {
    const body = await read(request);
    const [path, query] = request.url.split('?', 2);
    const operation = Object.hasOwn(byPath, path) ? byPath[path] : undefined;
    if (operation === undefined) throw new Refused(404, 'Not found');
    const { method, hasBody, run } = operation;
    if (request.method !== method) throw new Refused(405, 'Method not allowed', { Allow: method });
    // Check the token before the body, so that callers without one learn nothing about the rest.
    const caller = tokens[operation.caller](authorization(request));
    return run(caller, hasBody ? parse(body, request) : Object.fromEntries(new URLSearchParams(query)));
  }

  const server = createServer(async (request, response) => {
    try {
      write(response, 200, await answer(request));
    } catch (error) {
      // Do not reply to a caller that has disconnected.
      if (request.destroyed && !request.complete) return;
      const isRefusal = error instanceof Refused;
      if (!isRefusal) console.error(error);
      const { status, message, headers } = isRefusal ? error : new Refused(500, 'Internal error');
      write(response, status, envelope(status, message), headers);
    }
  });
  server.requestTimeout = 15_000;
  return server;
}

/** Returns the body, or `undefined` if it is too large. Reads and drops the excess, so that the caller receives the error reply. */
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= mostBytes) chunks.push(chunk);
  }
  return size <= mostBytes ? Buffer.concat(chunks) : undefined;
}

function parse(body, request) {
  if (body === undefined) throw new Refused(413, 'Request body is larger than 64 KiB');
  const type = request.headers['content-type'] ?? '';
  if (body.length === 0 && type === '') throw mandatory();
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refused(415, 'Content-Type must be application/json');
  if (body.length === 0) throw mandatory();
  let value;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw new Refused(400, 'Invalid request: the body is not well-formed JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mandatory();
  return value;
}

function authorization(request) {
  const values = request.headersDistinct.authorization ?? [''];
  // With two Authorization headers, the intended one is ambiguous.
  if (values.length > 1) throw tokenInvalid();
  return values[0];
}

function envelope(status, message) {
  const name = names[status];
  const type = `${status === 422 ? 'UnprocessableEntity' : name.replaceAll(' ', '')}HttpException`;
  return { success: false, status, data: { name, message, code: 0, status, type } };
}

function write(response, status, body, headers = {}) {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(text);
}

function start() {
  const server = clientServer(process.env);
  server.listen(Number(process.env.PORT || 8080), '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`);
  });
  // Finish calls in progress, and close idle connections.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.close());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    start();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
