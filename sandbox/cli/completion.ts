/** The `completion` command, which prints scripts for shells. The scripts call it to complete the words typed so far. */
import { Argument, type Command, type Option } from 'commander';
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

/** The script of each shell, and its format for a suggestion. Without suggestions, each shell suggests files. */
const shells = {
  bash: {
    script: `# Completion of rewards-sandbox for bash: source <(rewards-sandbox completion bash)
_rewards_sandbox() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _rewards_sandbox rewards-sandbox
`,
    offer: ({ word }: Offer) => word,
  },
  zsh: {
    script: `#compdef rewards-sandbox
# Completion of rewards-sandbox for zsh: source <(rewards-sandbox completion zsh), after compinit
_rewards_sandbox() {
  local -a offered=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  [[ -n $offered ]] && _describe value offered || _files
}
compdef _rewards_sandbox rewards-sandbox
`,
    offer: ({ word, about }: Offer) => `${word}:${about}`,
  },
  fish: {
    script: `# Completion of rewards-sandbox for fish: rewards-sandbox completion fish | source
function __rewards_sandbox
  set -l offered (rewards-sandbox completion fish -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)
  if set -q offered[1]; printf '%s\\n' $offered; else; __fish_complete_path (commandline -ct); end
end
complete -c rewards-sandbox -f -a '(__rewards_sandbox)'
`,
    offer: ({ word, about }: Offer) => `${word}\t${about}`,
  },
};

/** The modules of the commands, by command name. */
type Commands = Readonly<Record<string, () => Promise<CommandModule>>>;

/**
 * Creates the module of the `completion` command for these commands. The words typed so far follow the shell argument.
 * The last one is incomplete.
 */
export function completionOf(commands: Commands): CommandModule {
  return {
    addTo: (program: Command, act: Act) => {
      program
        .command('completion')
        .description('Print a shell script that completes commands, flags and their values.')
        .addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(shells)))
        .allowExcessArguments()
        .version(version)
        .addHelpText('after', help)
        .action(
          act(async ({ stdout }: Io, shell: keyof typeof shells, _flags: object, { args: [, ...words] }: Command) => {
            const { script, offer } = shells[shell];
            const offers = words.length === 0 ? [] : await offersFor(words, commands);
            stdout.write(words.length === 0 ? script : offers.map((one) => `${offer(one)}\n`).join(''));
            return 0;
          }),
        );
    },
  };
}

/** A suggested word and its description. */
interface Offer {
  readonly word: string;
  readonly about: string;
}

/** Returns the suggestions after some words. Loads the command that they name, or `start`, whose name is optional. */
async function offersFor([first = '', ...others]: readonly string[], commands: Commands): Promise<readonly Offer[]> {
  const isFirst = others.length === 0;
  const isNamed = !isFirst && Object.hasOwn(commands, first);
  const load = commands[isNamed ? first : 'start'];
  const program = newProgram();
  (await load?.())?.addTo(program, () => async () => {});
  const words = isNamed && first === 'start' ? others : [first, ...others];
  const names = isFirst ? Object.keys(commands).map((word) => ({ word, about: '' })) : [];
  return [...names, ...offersIn(program, words)].filter(({ word }) => word.startsWith(words.at(-1) ?? ''));
}

function offersIn(program: Command, words: readonly string[]): readonly Offer[] {
  let command = program;
  for (const word of words.slice(0, -1)) {
    const within = command.commands.find((one) => one.name() === word);
    if (within === undefined) break;
    command = within;
  }
  const flags = command.createHelp().visibleOptions(command);
  const before = flags.find((flag) => namesOf(flag).includes(words.at(-2) ?? ''));
  if (before?.required || before?.optional) return valuesOf(before);
  return [
    ...command.commands.map((one) => ({ word: one.name(), about: one.description() })),
    ...valuesOf(command.registeredArguments[0]),
    ...flags.flatMap((flag) => namesOf(flag).map((word) => ({ word, about: flag.description }))),
  ];
}

/** Returns the long names of a flag. If a flag has two long names, commander stores the first as the short name. */
function namesOf({ short, long }: Option): readonly string[] {
  return [short ?? '', long ?? ''].filter((name) => name.startsWith('--'));
}

/** Returns the values of a flag or an argument with a fixed set of values. */
function valuesOf(of: Option | Argument | undefined): readonly Offer[] {
  return (of?.argChoices ?? []).map((word) => ({ word, about: '' }));
}
