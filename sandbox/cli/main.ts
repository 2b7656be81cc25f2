/** The command by its arguments: each one is a module, which is loaded when it is named. */
import type { Io } from './io.ts';

export { processIo } from './io.ts';

/** A command: reads its arguments, does what they say, and returns the exit code. */
type Main = (io: Io) => Promise<number>;

const start = async () => (await import('./start.ts')).main;
const proxy = async () => (await import('./proxy.ts')).main;
const backup = async () => (await import('./backup.ts')).main;

const commands: Readonly<Record<string, () => Promise<Main>>> = {
  start,
  check: proxy,
  proxy,
  mock: proxy,
  workflows: async () => (await import('./workflows.ts')).main,
  certify: async () => (await import('./certify.ts')).main,
  certificate: async () => (await import('./certificate.ts')).main,
  init: async () => (await import('./init.ts')).main,
  export: backup,
  import: backup,
  completion: async () => (await import('./completion.ts')).main,
  mcp: async () => (await import('./mcp.ts')).main,
  workspaces: async () => (await import('./workspaces.ts')).main,
};

/** Runs the command that the arguments name; a start is what is done where none is. */
export async function main(io: Io): Promise<number> {
  const given = withoutHelp(io.args);
  const args = given[0] === 'start' ? given.slice(1) : given;
  const [name = ''] = args;
  if (name === '' || name.startsWith('-')) return (await start())({ ...io, args });
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return (await command())({ ...io, args });
  return (await import('./command-line.ts')).refuse(io, name, Object.keys(commands));
}

/** `help check` is `check --help`, and `help` alone, or of itself, `--help`. */
function withoutHelp(args: readonly string[]): readonly string[] {
  const [first, name, ...others] = args;
  if (first !== 'help') return args;
  return [...(name === undefined || name === 'help' ? [] : [name]), '--help', ...others];
}
