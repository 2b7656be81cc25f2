/** What can be typed after `rewards-sandbox`, read from the commands themselves. */
import type { Argument, Command, Option } from 'commander';

/** What a flag or an argument takes: one of some words, a file or folder, or anything else. */
export type Takes = readonly string[] | 'path' | 'anything';

export interface CompletableFlag {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  /** Left out where the flag stands alone. */
  readonly takes?: Takes;
}

/** A command, as shells need to know it. */
export interface Completable {
  /** Its words: one, or two for a command within another; none for what is done where no command is named. */
  readonly words: readonly string[];
  readonly about: string;
  readonly flags: readonly CompletableFlag[];
  /** What its first argument is; left out where it has none. */
  readonly takes?: Takes;
}

/** Takes placeholders such as `<file>` and `<format=file>`. */
const paths = ['file', 'dir', 'folder', 'capture'];

/** A command and those within it, under the words that name it. */
export function completable(command: Command, words: readonly string[]): Completable[] {
  const help = { name: '--help', about: 'display help for command' };
  const flags = [...command.options.flatMap((option) => flagOf(option) ?? []), help];
  const [argument] = command.registeredArguments;
  const own = { words, about: command.description(), flags, ...(argument && { takes: takenBy(argument) }) };
  return [own, ...command.commands.flatMap((within) => completable(within, [...words, within.name()]))];
}

function flagOf(option: Option): CompletableFlag | undefined {
  const { long, description: about, required, optional } = option;
  if (!long || option.hidden) return undefined;
  const placeholder = /[<[]([^<>[\]]+)[>\]]/.exec(option.flags)?.[1] ?? '';
  if (!required && !optional) return { name: long, about };
  return { name: long, about, takes: option.argChoices ?? takenAs(placeholder) };
}

function takenBy(argument: Argument): Takes {
  return argument.argChoices ?? takenAs(argument.name());
}

function takenAs(placeholder: string): Takes {
  return paths.includes(placeholder.replace(/\.\.\.$/, '')) ? 'path' : 'anything';
}
