/** Tests `rewards-sandbox workspaces`, with which operators list and change workspaces (OP-227). */
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { serve } from '../harness/http-server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { start, timedSandbox } from '../harness/timed.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const day = 24 * 3_600_000;

/** Runs the command against a sandbox. */
async function on(origin: string, ...args: string[]) {
  const { code, stdout, stderr } = await inProcess(['workspaces', ...args, '--sandbox', origin]).ended;
  return { code, stdout, stderr };
}

it('OP-227: lists, finds, renames, extends and deletes workspaces', async () => {
  const sandbox = await timedSandbox();
  sandbox.pass(1);
  const { id } = (await workspaceOf(sandbox, { name: 'Meadow Bank' })).details;
  const head = 'ID                   CREATED (UTC)     LAST USED         EXPIRES UNLESS USED  NAME';
  const row = (end: string, name: string) => `${id}  2026-01-05 08:00  2026-01-05 08:00  ${end.padEnd(19)}  ${name}`;
  const done = (...rows: string[]) => ({ code: 0, stdout: `${[head, ...rows].join('\n')}\n`, stderr: '' });
  const demo = 'demo                 2026-01-05 08:00  2026-01-05 08:00  never';
  expect(await on(sandbox.origin, 'list')).toEqual(done(demo, row('2026-01-12 08:00', 'Meadow Bank')));
  const result = await on(sandbox.origin, 'list', '--search', 'MEADOW', '--json');
  expect(result.stdout.split('\n').map((line) => line && JSON.parse(line))).toEqual([
    {
      id,
      name: 'Meadow Bank',
      created_by: 'demo',
      created_at: new Date(start + 1).toISOString(),
      last_used_at: new Date(start + 1).toISOString(),
      expires_at: new Date(start + 1 + 7 * day).toISOString(),
    },
    '',
  ]);
  expect(await on(sandbox.origin, 'extend', id, '--days', '365')).toEqual(done(row('2027-01-05 08:00', 'Meadow Bank')));
  expect(await on(sandbox.origin, 'extend', id, '--no-end')).toEqual(done(row('never', 'Meadow Bank')));
  expect(await on(sandbox.origin, 'rename', id, '\u202eBank')).toEqual(done(row('never', '\\u202eBank')));
  expect((await on(sandbox.origin, 'rename', id)).stdout).toBe(`${head}\n${row('never', '').trimEnd()}\n`);
  expect(await on(sandbox.origin, 'delete', id)).toEqual({ code: 0, stdout: '', stderr: `Deleted ${id}.\n` });
  expect(await on(sandbox.origin, 'delete', id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Workspace ${id} does not exist (404).\n`,
  });
});

it('OP-227: lists all pages, and passes each cursor on unchanged', async () => {
  const one = { id: 'ws_1', name: null, created_by: 'demo', created_at: '', last_used_at: '', expires_at: null };
  const requests: (string | undefined)[] = [];
  const origin = await serve((request, _, response) => {
    requests.push(request.url);
    const page = [
      { items: [one, one], next: '7.ws_1' },
      { items: [{ ...one, id: 'ws_2' }], next: null },
    ][requests.length - 1];
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page));
  });
  const { stdout } = await on(origin, 'list', '--json', '--search', 'ws');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['ws_1', 'ws_1', 'ws_2']);
  expect(requests).toEqual(['/sandbox/v1/workspaces?search=ws', '/sandbox/v1/workspaces?search=ws&after=7.ws_1']);
});

it.each([
  { args: ['extend', 'ws_1'], code: 2, stderr: 'error: use --days or --no-end\n' },
  {
    args: ['extend', 'ws_1', '--days', '366'],
    code: 2,
    stderr: "error: option '--days <number>' argument '366' is invalid. It must be a whole number from 1 to 365.\n",
  },
  { args: ['lst'], code: 2, stderr: "error: unknown command 'lst'\n(Did you mean list?)\n" },
])('$args exits with $code and the reason', async ({ args, code, stderr }) => {
  expect(await inProcess(['workspaces', ...args]).ended).toMatchObject({ code, stdout: '', stderr });
});

it('an invalid token is reported in one line', async () => {
  const { origin } = await testSandbox();
  expect(await on(origin, 'list', '--admin-token', 'at_wrong')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'List: Missing or invalid token (401).\n',
  });
});
