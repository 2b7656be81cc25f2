/** What is said to a command that there is not. */
import { Command, CommanderError } from 'commander';

/** Says on stderr that there is no such command, and which one may be meant. Returns the exit code of wrong usage. */
export function refuse(name: string, known: readonly string[]): number {
  const program = new Command('rewards-sandbox')
    .showHelpAfterError('rewards-sandbox --help lists the commands.')
    .exitOverride();
  for (const each of known) program.command(each);
  try {
    program.parse([name], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return 2;
}
