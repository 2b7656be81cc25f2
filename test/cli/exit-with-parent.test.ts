/** Tests starting a sandbox that another program owns, and that writes no files. */
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

it('with --exit-with-parent the sandbox stops when its standard input ends, and with --store memory it writes no file', async () => {
  const data = await temporaryFolder();
  const flags = ['--port', '0', '--json', '--data', data, '--store', 'memory', '--exit-with-parent'];
  const { stdin, saw, ended } = inProcess(flags);
  await saw(/"ready":true/);
  stdin.end();
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([0, 'Stopping: waiting for calls in progress.\n']);
  expect(await readdir(data)).toEqual([]);
});

it('without --exit-with-parent the end of its standard input means nothing', async () => {
  const { stdin, saw, stop, ended } = inProcess(['--port', '0', '--store', 'memory']);
  const [, origin] = await saw(/Control API +(\S+)/);
  stdin.end();
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  stop();
  expect((await ended).stdout).toContain('Data: in memory.');
});
