/** Runs Schemathesis, which sends generated requests with valid credentials to all operations. */
import { fileURLToPath } from 'node:url';
import { installPython, pythonCommand } from './python.ts';
import { command, type Tool } from './tool.ts';

const version = '4.32.5';
const run = fileURLToPath(new URL('schemathesis-run.ts', import.meta.url));

export const schemathesis: Tool = {
  name: 'schemathesis',
  version,
  needs: ['python3', 'unshare', 'ip'],
  file: 'schemathesis/bin/st',
  install: (tools) => installPython(tools, 'schemathesis', [`schemathesis==${version}`]),
  async run(tools, work) {
    // A generated value may be a URL to call, so the run has no network except loopback.
    const inside = 'ip link set lo up && exec "$@"';
    const st = pythonCommand(tools, 'schemathesis', 'st');
    const args = ['--net', 'sh', '-c', inside, 'sh', process.execPath, run, st, work];
    return (await command('unshare', args, { cwd: work })).trimEnd();
  },
};
