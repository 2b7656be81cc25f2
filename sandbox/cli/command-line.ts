/** Reads a command line. Commander prints to the streams of an `Io`, and reads variables of its environment only. */
import type { EventEmitter } from 'node:events';
import { Command, CommanderError } from 'commander';
import type { Io, Output } from './io.ts';

/**
 * Parses arguments and runs the action that they name. Returns undefined after an action, else the exit code: 0 after
 * help or the version was printed, 2 for wrong usage, which commander has explained on stderr.
 */
export async function parse(program: Command, io: Io, args = io.args): Promise<0 | 2 | undefined> {
  belongTo(program, io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** Has a command, and those within it, write to the streams of an `Io` and read its environment. */
function belongTo(command: Command, io: Io): void {
  const { stdout, stderr, env } = io;
  command.configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  });
  // Commander knows the environment of the process only. It calls this method once the arguments are read.
  Object.assign(command, { _parseOptionsEnv: () => takeFromEnvironment(command, env) });
  for (const within of command.commands) belongTo(within, io);
}

/** As commander has it: help that goes nowhere but into a file is 80 wide. */
function widthOf({ isTTY, columns = 80 }: Output): number {
  return isTTY === true ? columns : 80;
}

/** Gives options that were not among the arguments their value from the environment, by the event of commander's own for that. */
function takeFromEnvironment(command: Command, env: NodeJS.ProcessEnv): void {
  for (const option of command.options) {
    const text = option.envVar && env[option.envVar];
    if (text === undefined || command.getOptionValueSource(option.attributeName()) === 'cli') continue;
    const events = command as unknown as EventEmitter;
    events.emit(`optionEnv:${option.name()}`, ...(option.required || option.optional ? [text] : []));
  }
}

/** Help text with commands that can be typed: through npm in a checkout, by their own name in an installed package. */

const checkout = import.meta.url.endsWith('.ts');

/** Adapts help that is written for a checkout. Descriptions after the examples stay aligned. */
export function adaptHelp(help: string, isCheckout = checkout): string {
  if (isCheckout) return help;
  return help.split('\n').map(adaptLine).join('\n');
}

function adaptLine(line: string): string {
  const [, example = line, gap = '', about = ''] = /^( {2}\S+(?: \S+)*)( {2,})(\S.*)$/.exec(line) ?? [];
  const typed = example
    .replace(/npm start(?: --)?/g, 'rewards-sandbox')
    .replace(/npm run ([a-z]+)(?: --)?/g, 'rewards-sandbox $1');
  if (typed === example) return line;
  return about === '' ? typed : `${typed.padEnd(example.length + gap.length - 2)}  ${about}`;
}

/** Reports an unknown command on stderr, with the closest name. Returns the exit code of wrong usage. */
export async function refuse(io: Io, name: string, commands: readonly string[]): Promise<number> {
  const program = new Command('rewards-sandbox')
    .showHelpAfterError('Run rewards-sandbox --help for a list of commands.')
    .exitOverride();
  for (const each of commands) program.command(each);
  await parse(program, io, [name]);
  return 2;
}
