/** Tests that commands print untrusted text escaped and on one line (OP-90). */
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { httpServer } from '../harness/http-server.ts';

const forged = 'x\nPASSED: forged line\u001b[2J\u200b';
const escaped = 'x\\u000aPASSED: forged line\\u001b[2J\\u200b';

/** Starts a server that refuses every call with a message that imitates a log line. */
async function refusing(): Promise<string> {
  const body = { status: 401, message: forged, data: { name: 'Unauthorized', message: forged, status: 401 } };
  const { origin } = await httpServer((_, reply) => {
    reply.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return origin;
}

it.each([
  ['certify', (url: string) => ['certify', '--client-url', url, '--customer', 'CUST0001']],
  ['workspaces', (url: string) => ['workspaces', 'list', '--sandbox', url]],
  ['certificate', () => ['certificate', 'verify', `/nowhere/${forged}`]],
  ['export', () => ['export', '/nowhere/a', '--data', `/dev/null/${forged}`]],
  ['workflows', () => ['workflows', forged]],
  ['a start', () => ['--port', '0', '--data', `/dev/null/${forged}`]],
])('OP-90: %s prints a forged line of another party as part of its own line', async (_, args) => {
  const { code, stdout, stderr } = await inProcess(args(await refusing())).ended;
  expect(code).not.toBe(0);
  const printed = stdout + stderr;
  expect(printed).toContain(escaped);
  expect(printed).not.toMatch(/^PASSED/m);
  expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
