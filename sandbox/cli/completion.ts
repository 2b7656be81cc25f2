/** The `completion` command: scripts for shells, generated from the commands as commander knows them. */
import { Argument, type Command, Option } from 'commander';
import { version } from '../version.ts';
import { type Act, type CommandModule, newProgram } from './command-line.ts';
import type { Io } from './io.ts';

const help = `
Examples:
  source <(rewards-sandbox completion bash)            for this shell; add it to ~/.bashrc for every shell
  source <(rewards-sandbox completion zsh)             add it to ~/.zshrc, after compinit
  rewards-sandbox completion fish > ~/.config/fish/completions/rewards-sandbox.fish

Exit codes:
  0 printed   2 usage error`;

const scripts = { bash, zsh, fish };

/** Adds `completion`, of the commands in some modules. The first module is the start, which needs no name. */
export function completionOf(loadModules: () => Promise<readonly CommandModule[]>): CommandModule {
  return {
    addTo: (program: Command, act: Act) => {
      program
        .command('completion')
        .description('Print a shell script that completes commands, flags and their values.')
        .addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(scripts)))
        .version(version)
        .addHelpText('after', help)
        .action(
          act(async ({ stdout }: Io, shell: keyof typeof scripts) => {
            stdout.write(scripts[shell](programOf(await loadModules())));
            return 0;
          }),
        );
    },
  };
}

/** The program with all its commands, and with the flags of a start. */
function programOf([start, ...others]: readonly CommandModule[]): Command {
  const program = newProgram();
  const noAction: Act = () => async () => {};
  start?.addTo(program, noAction);
  start?.addTo(program.command('start').version(version), noAction);
  for (const { addTo } of others) addTo(program, noAction);
  return program;
}

interface Named {
  /** The words that name the command: one, two for a subcommand, none for the program. */
  readonly words: readonly string[];
  readonly command: Command;
}

/** A command and its subcommands. */
function namedIn(command: Command, words: readonly string[] = []): Named[] {
  const subcommands = command.commands.flatMap((one) => namedIn(one, [...words, one.name()]));
  return [{ words, command }, ...subcommands];
}

function flagsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** The values of a flag or an argument: one of some words, a file or folder, or anything else. */
type Values = readonly string[] | 'path' | 'anything';

/** Placeholders of paths, such as `<file>` and `<format=file>`. */
const paths = ['file', 'dir', 'folder', 'capture'];

/** The values that may follow; undefined for a flag without a value. */
function valuesOf(of: Option | Argument | undefined): Values | undefined {
  if (of === undefined || (of instanceof Option && !of.required && !of.optional)) return undefined;
  const placeholder = of instanceof Option ? /[<[]([^<>[\]]+)[>\]]/.exec(of.flags)?.[1] : of.name();
  return of.argChoices ?? (paths.includes(placeholder?.replace(/\.\.\.$/, '') ?? '') ? 'path' : 'anything');
}

function wordsIn(values: Values | undefined): readonly string[] {
  return typeof values === 'object' ? values : [];
}

/** Within single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Where nothing is offered, bash offers files: also for a flag that takes something else. */
function bash(program: Command): string {
  const all = namedIn(program);
  const steps = all.slice(1).map(({ words }) => {
    return `      ${quoted(`${words.slice(0, -1).join(' ')}:${words.at(-1)}`)}) at="${words.join(' ')}" ;;`;
  });
  const values = all.flatMap(({ words, command }) =>
    flagsOf(command).flatMap((flag) => {
      const offered = valuesOf(flag);
      if (offered === undefined) return [];
      return `    ${quoted(`${words.join(' ')}:${flag.long}`)}) offered=${quoted(wordsIn(offered).join(' '))} ;;`;
    }),
  );
  const rest = all.map(({ words, command }) => {
    const offered = [
      ...command.commands.map((one) => one.name()),
      ...wordsIn(valuesOf(command.registeredArguments[0])),
      ...flagsOf(command).map(({ long }) => long),
    ];
    return `      ${quoted(words.join(' '))}) offered=${quoted(offered.join(' '))} ;;`;
  });
  return `# Completion of rewards-sandbox for bash: source <(rewards-sandbox completion bash)
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
complete -o default -F _rewards_sandbox rewards-sandbox
`;
}

function zsh(program: Command): string {
  const functions = namedIn(program).map(({ words, command }) => {
    const name = ['_rewards_sandbox', ...words].join('_');
    const specs = flagsOf(command).map((flag) => `    ${quoted(zshFlag(flag))}`);
    const values = valuesOf(command.registeredArguments[0]);
    if (values !== undefined) specs.push(`    ${quoted(`1:argument:${zshValues(values)}`)}`);
    const own = `  _arguments \\\n${specs.join(' \\\n')}`;
    if (command.commands.length === 0) return `${name}() {\n${own}\n}`;
    const listed = command.commands.map((one) => `    ${quoted(`${one.name()}:${one.description()}`)}`);
    const cases = command.commands.map(
      (one) => `    ${one.name()}) shift words; (( CURRENT-- )); ${name}_${one.name()} ;;`,
    );
    return `${name}() {
  local -a commands=(
${listed.join('\n')}
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
  return `#compdef rewards-sandbox
# Completion of rewards-sandbox for zsh: source <(rewards-sandbox completion zsh), after compinit
${functions.join('\n\n')}

compdef _rewards_sandbox rewards-sandbox
`;
}

/** Brackets and colons have a meaning in what \`_arguments\` is given. */
function zshFlag(flag: Option): string {
  const about = flag.description.replaceAll(/[[\]\\:]/g, '\\$&');
  const values = valuesOf(flag);
  return `*${flag.long}[${about}]${values === undefined ? '' : `:value:${zshValues(values)}`}`;
}

function zshValues(values: Values): string {
  if (typeof values === 'object') return `(${values.join(' ')})`;
  return values === 'path' ? '_files' : '';
}

function fish(program: Command): string {
  const lines = namedIn(program).flatMap(({ words, command }) => {
    const { commands } = command;
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const unless = commands.map((one) => one.name()).join(' ');
    const when = [...seen, ...(unless ? [`not __fish_seen_subcommand_from ${unless}`] : [])].join('; and ');
    const base = `complete -c rewards-sandbox -n ${quoted(when)}`;
    const offered = wordsIn(valuesOf(command.registeredArguments[0]));
    return [
      ...commands.map((one) => `${base} -f -a ${one.name()} -d ${quoted(one.description())}`),
      ...(offered.length > 0 ? [`${base} -f -a ${quoted(offered.join(' '))}`] : []),
      ...flagsOf(command).map(
        (flag) => `${base} -l ${flag.long?.slice(2)} -d ${quoted(flag.description)}${fishValues(valuesOf(flag))}`,
      ),
    ];
  });
  return `# Completion of rewards-sandbox for fish: rewards-sandbox completion fish | source\n${lines.join('\n')}\n`;
}

function fishValues(values: Values | undefined): string {
  if (typeof values === 'object') return ` -x -a ${quoted(values.join(' '))}`;
  return { path: ' -r -F', anything: ' -x', none: '' }[values ?? 'none'];
}
