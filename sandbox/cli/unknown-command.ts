/** The reply to an unknown command. */
import { Command } from 'commander';
import { parse } from './command-line.ts';
import type { Io } from './io.ts';

/** Reports an unknown command on stderr, with the closest name. Returns the exit code of wrong usage. */
export async function refuse(io: Io, name: string, commands: readonly string[]): Promise<number> {
  const program = new Command('rewards-sandbox')
    .showHelpAfterError('Run rewards-sandbox --help for a list of commands.')
    .exitOverride();
  for (const each of commands) program.command(each);
  await parse(program, io, [name]);
  return 2;
}
