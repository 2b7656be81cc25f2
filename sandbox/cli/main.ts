/** The entry point of the command line. Each command is in a module that is loaded on demand. */
import { type CommandModule, refuse, run } from './command-line.ts';
import type { Io } from './io.ts';

export { processIo } from './io.ts';

const proxy = () => import('./proxy.ts');
const backup = () => import('./backup.ts');
const workspaces = () => import('./workspaces.ts');

/** The commands, in the order in which shells suggest them. */
const commands: Readonly<Record<string, () => Promise<CommandModule>>> = {
  start: () => import('./start.ts'),
  check: () => import('./check.ts'),
  compare: () => import('./compare.ts'),
  'open-points': () => import('./open-points.ts'),
  proxy,
  mock: proxy,
  certificate: () => import('./certificate.ts'),
  export: backup,
  import: backup,
  workspaces,
  credentials: workspaces,
  workflows: () => import('./workflows.ts'),
  certify: () => import('./certify.ts'),
  verdict: () => import('./verdict.ts'),
  doctor: () => import('./doctor.ts'),
  listen: () => import('./listen.ts'),
  ready: workspaces,
  init: () => import('./init.ts'),
  mcp: () => import('./mcp.ts'),
  completion: async () => (await import('./completion.ts')).completionOf(commands),
};

/** Runs the command that the arguments name. The default is `start`. Resolves with the exit code. */
export async function main(io: Io): Promise<number> {
  const given = withoutHelp(io.args);
  const args = given[0] === 'start' ? given.slice(1) : given;
  const [name = ''] = args;
  const key = name === '' || name.startsWith('-') ? 'start' : name;
  const load = Object.hasOwn(commands, key) ? commands[key] : undefined;
  return load === undefined ? refuse(io, name, Object.keys(commands)) : run({ ...io, args }, await load());
}

/** Converts `help check` to `check --help`, and `help` or `help help` to `--help`. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, name, ...others] = args;
  if (first !== 'help') return args;
  return [...(name === undefined || name === 'help' ? [] : [name]), '--help', ...others];
}
