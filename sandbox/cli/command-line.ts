/** Parses command lines. Commander uses only the streams and the environment of an `Io`. */
import type { EventEmitter } from 'node:events';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { letReadersLeave } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import type { Io, Output } from './io.ts';

/** Converts a function that returns an exit code to the action of a command. */
export type Act = <A extends unknown[]>(
  action: (io: Io, ...given: A) => number | Promise<number>,
) => (...given: A) => Promise<void>;

/** A module that implements one or more commands. */
export interface CommandModule {
  /** Adds the module's commands to the program, with their flags and help. */
  readonly addTo: (program: Command, act: Act) => void;
  /** Prints why an action failed, and returns the exit code. Throws the error again if it is unexpected. */
  readonly explain?: (io: Io, error: unknown) => number;
  /** Handles output that cannot be written. Default: `letReadersLeave`. */
  readonly guard?: (data: Output, messages: Output) => unknown;
}

/** Creates the program, without commands. */
export function newProgram(): Command {
  return new Command('rewards-sandbox').version(version).exitOverride();
}

/** Runs the command of a module that the arguments select. Returns the exit code. */
export async function run(io: Io, { addTo, explain, guard = letReadersLeave }: CommandModule): Promise<number> {
  guard(io.stdout, io.stderr);
  let code = 0;
  const program = newProgram();
  addTo(program, (action) => async (...given) => {
    code = await action(io, ...given);
  });
  try {
    return (await parse(program, io)) ?? code;
  } catch (error) {
    if (explain === undefined) throw error;
    return explain(io, error);
  }
}

/**
 * Parses arguments and runs the selected action. Returns `undefined` after an action. Otherwise returns the exit code:
 * 0 after printing the help or the version, 2 for wrong usage, which commander has reported on stderr.
 */
async function parse(program: Command, io: Io, args = io.args): Promise<0 | 2 | undefined> {
  belongTo(program, io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

/** Makes a command and its subcommands use the streams and the environment of an `Io`. */
function belongTo(command: Command, io: Io): void {
  const { stdout, stderr, env } = io;
  command.configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  });
  // Commander itself reads only the environment of the process. It calls this method after parsing the arguments.
  Object.assign(command, { _parseOptionsEnv: () => takeFromEnvironment(command, env) });
  for (const within of command.commands) belongTo(within, io);
}

/** Returns the width of the help. Like commander, uses 80 columns if the output is not a terminal. */
function widthOf({ isTTY, columns = 80 }: Output): number {
  return isTTY === true ? columns : 80;
}

/** Sets options without an argument from the environment, by emitting commander's own event for that purpose. */
function takeFromEnvironment(command: Command, env: NodeJS.ProcessEnv): void {
  for (const option of command.options) {
    const text = option.envVar && env[option.envVar];
    if (text === undefined || command.getOptionValueSource(option.attributeName()) === 'cli') continue;
    const events = command as unknown as EventEmitter;
    events.emit(`optionEnv:${option.name()}`, ...(option.required || option.optional ? [text] : []));
  }
}

const checkout = import.meta.url.endsWith('.ts');

/**
 * Adapts help text that was written for a checkout. In an installed package, commands are run by name instead of
 * through npm. Descriptions after the examples stay aligned.
 */
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

/** Reports an unknown command on stderr, with the closest name. Returns the exit code for wrong usage. */
export async function refuse(io: Io, name: string, commands: readonly string[]): Promise<number> {
  const program = new Command('rewards-sandbox')
    .showHelpAfterError('Run rewards-sandbox --help for a list of commands.')
    .exitOverride();
  for (const each of commands) program.command(each);
  await parse(program, io, [name]);
  return 2;
}

/** The running sandbox to call. */
export interface RunningSandbox {
  /** The origin of the sandbox, such as http://127.0.0.1:4010. */
  readonly sandbox: string;
  readonly adminToken?: string;
}

/**
 * Adds the flags that select a running sandbox.
 *
 * @param token the flag of the token, including an alias if there is one
 */
export function withSandbox(command: Command, token?: string): Command {
  return command
    .addOption(
      new Option('--sandbox <url>', 'address of the sandbox')
        .default('http://127.0.0.1:4010')
        .argParser((text) => url(text).origin),
    )
    .addOption(adminTokenOption(token));
}

/** Creates the option for the admin token of a running sandbox. */
export function adminTokenOption(flag = '--admin-token <token>'): Option {
  return new Option(flag, 'token for its control API').env('REWARDS_SANDBOX_ADMIN_TOKEN');
}

/** Returns the message for a sandbox that does not respond. */
export function noAnswer({ sandbox }: RunningSandbox, error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error };
  return `No response from the sandbox at ${sandbox} (${cause?.message || message}). Start it with: rewards-sandbox`;
}

/** Parses an http or https URL. Like the other parsers of option values, throws `InvalidArgumentError` for anything else. */
export function url(text: string): URL {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return parsed;
}

/** Parses a whole number from `least` to `most`. */
export function wholeNumber(text: string, most: number, least = 0): number {
  const number = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  return number;
}

export function port(text: string): number {
  return wholeNumber(text, 65_535);
}

export function adminToken(text: string): string {
  if (!/^[!-~]{16,256}$/.test(text)) throw new InvalidArgumentError('It must have 16 to 256 visible characters.');
  return text;
}

/** Parses a repeatable option. It also accepts several values separated by commas, as needed in an environment variable. */
export function separated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...text.split(',').map((part) => part.trim())];
}
