/** What can be typed after `rewards-sandbox`, read from the commands, and a completion script of it for each shell. */
import type { Argument, Command, Option } from 'commander';

/** The values of a flag or an argument: one of some words, a file or folder, or anything else. */
type Takes = readonly string[] | 'path' | 'anything';

interface CompletableFlag {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  /** Omitted for a flag without a value. */
  readonly takes?: Takes;
}

/** A command as shells complete it. */
export interface Completable {
  /** Its words: one, two for a subcommand, none for a start without a named command. */
  readonly words: readonly string[];
  readonly about: string;
  readonly flags: readonly CompletableFlag[];
  /** The values of its first argument; omitted if it has none. */
  readonly takes?: Takes;
}

/** The shells there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** What is typed: also the name of the functions in the scripts. */
const program = 'rewards-sandbox';

/** The script of a shell for some commands; the one without words is completed if no command is named. */
export function completionScript(shell: Shell, commands: readonly Completable[]): string {
  return { bash, zsh, fish }[shell](commands);
}

/** The words that may come next after those of a command. */
function within(commands: readonly Completable[], words: readonly string[]): Completable[] {
  return commands.filter((each) => each.words.length === words.length + 1 && startsWith(each.words, words));
}

function startsWith(words: readonly string[], first: readonly string[]): boolean {
  return first.every((word, at) => words[at] === word);
}

function lastOf({ words }: Completable): string {
  return words.at(-1) ?? '';
}

function isWords(takes: Takes | undefined): takes is readonly string[] {
  return typeof takes === 'object';
}

/** Within single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Where nothing is offered, bash offers files: also for a flag that takes something else. */
function bash(commands: readonly Completable[]): string {
  const steps = commands
    .filter(({ words }) => words.length > 0)
    .map(
      (each) =>
        `      ${quoted(`${each.words.slice(0, -1).join(' ')}:${lastOf(each)}`)}) at="${each.words.join(' ')}" ;;`,
    );
  const values = commands.flatMap(({ words, flags }) =>
    flags.flatMap(({ name, takes }) => {
      if (takes === undefined) return [];
      return `    ${quoted(`${words.join(' ')}:${name}`)}) offered=${quoted(isWords(takes) ? takes.join(' ') : '')} ;;`;
    }),
  );
  const rest = commands.map((each) => {
    const offered = [
      ...within(commands, each.words).map(lastOf),
      ...(isWords(each.takes) ? each.takes : []),
      ...each.flags.map(({ name }) => name),
    ];
    return `      ${quoted(each.words.join(' '))}) offered=${quoted(offered.join(' '))} ;;`;
  });
  return `# Completion of ${program} for bash: source <(${program} completion bash)
_rewards_sandbox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at='' offered='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at:\${COMP_WORDS[index]}" in
${steps.join('\n')}
      *) break ;;
    esac
  done
  case "$at:$before" in
${values.join('\n')}
    *) case "$at" in
${rest.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _rewards_sandbox ${program}
`;
}

function zsh(commands: readonly Completable[]): string {
  const functions = commands.map((each) => {
    const name = functionOf(each);
    const subcommands = within(commands, each.words);
    const specs = each.flags.map((flag) => `    ${quoted(zshFlag(flag))}`);
    if (each.takes !== undefined) specs.push(`    ${quoted(`1:argument:${zshValues(each.takes)}`)}`);
    const own = `  _arguments \\\n${specs.join(' \\\n')}`;
    if (subcommands.length === 0) return `${name}() {\n${own}\n}`;
    const listed = subcommands.map((one) => `    ${quoted(`${lastOf(one)}:${one.about}`)}`).join('\n');
    const cases = subcommands.map((one) => `    ${lastOf(one)}) shift words; (( CURRENT-- )); ${functionOf(one)} ;;`);
    return `${name}() {
  local -a commands=(
${listed}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('\n')}
    *)
  ${own.replaceAll('\n', '\n  ')} ;;
  esac
}`;
  });
  return `#compdef ${program}
# Completion of ${program} for zsh: source <(${program} completion zsh), after compinit
${functions.join('\n\n')}

compdef _rewards_sandbox ${program}
`;
}

function functionOf({ words }: Completable): string {
  return ['_rewards_sandbox', ...words].join('_');
}

/** Brackets and colons have a meaning in what \`_arguments\` is given. */
function zshFlag({ name, about, takes }: CompletableFlag): string {
  const said = about.replaceAll(/[[\]\\:]/g, '\\$&');
  return `*${name}[${said}]${takes === undefined ? '' : `:value:${zshValues(takes)}`}`;
}

function zshValues(takes: Takes): string {
  if (isWords(takes)) return `(${takes.join(' ')})`;
  return takes === 'path' ? '_files' : '';
}

function fish(commands: readonly Completable[]): string {
  const lines = commands.flatMap((each) => {
    const subcommands = within(commands, each.words);
    const seen = each.words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const unless = subcommands.map(lastOf).join(' ');
    const when = [...seen, ...(unless ? [`not __fish_seen_subcommand_from ${unless}`] : [])].join('; and ');
    const base = `complete -c ${program} -n ${quoted(when)}`;
    return [
      ...subcommands.map((one) => `${base} -f -a ${lastOf(one)} -d ${quoted(one.about)}`),
      ...(isWords(each.takes) ? [`${base} -f -a ${quoted(each.takes.join(' '))}`] : []),
      ...each.flags.map((flag) => `${base} -l ${flag.name.slice(2)} -d ${quoted(flag.about)}${fishValues(flag.takes)}`),
    ];
  });
  return `# Completion of ${program} for fish: ${program} completion fish | source\n${lines.join('\n')}\n`;
}

function fishValues(takes: Takes | undefined): string {
  if (takes === undefined) return '';
  if (isWords(takes)) return ` -x -a ${quoted(takes.join(' '))}`;
  return takes === 'path' ? ' -r -F' : ' -x';
}

/** Placeholders of paths, such as `<file>` and `<format=file>`. */
const paths = ['file', 'dir', 'folder', 'capture'];

/** A command and its subcommands, under the words that name them. */
export function listCompletable(command: Command, words: readonly string[]): Completable[] {
  const help = { name: '--help', about: 'display help for command' };
  const flags = [...command.options.flatMap((option) => flagOf(option) ?? []), help];
  const [argument] = command.registeredArguments;
  const own = { words, about: command.description(), flags, ...(argument && { takes: takesOf(argument) }) };
  return [own, ...command.commands.flatMap((subcommand) => listCompletable(subcommand, [...words, subcommand.name()]))];
}

function flagOf(option: Option): CompletableFlag | undefined {
  const { long, description: about, required, optional } = option;
  if (!long || option.hidden) return undefined;
  const placeholder = /[<[]([^<>[\]]+)[>\]]/.exec(option.flags)?.[1] ?? '';
  if (!required && !optional) return { name: long, about };
  return { name: long, about, takes: option.argChoices ?? takesFor(placeholder) };
}

function takesOf(argument: Argument): Takes {
  return argument.argChoices ?? takesFor(argument.name());
}

function takesFor(placeholder: string): Takes {
  return paths.includes(placeholder.replace(/\.\.\.$/, '')) ? 'path' : 'anything';
}
