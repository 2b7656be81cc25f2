/** What is said to a command that there is not. */
import { Command } from 'commander';
import { parse } from './command-line.ts';
import type { Io } from './io.ts';

/** Says on stderr that there is no such command, and which one may be meant. Returns the exit code of wrong usage. */
export async function refuse(io: Io, name: string, known: readonly string[]): Promise<number> {
  const program = new Command('rewards-sandbox')
    .showHelpAfterError('Run rewards-sandbox --help for a list of commands.')
    .exitOverride();
  for (const each of known) program.command(each);
  await parse(program, io, [name]);
  return 2;
}
