/** The command line of `completion`: prints what a shell completes this command with. Its own composition root. */
import { Argument, Command } from 'commander';
import { letReadersLeave } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { backupCommands } from './backup-command.ts';
import { certificateCommand } from './certificate-command.ts';
import { certifyCommand } from './certify-command.ts';
import { command } from './command.ts';
import { parse } from './command-line.ts';
import { type Completable, completionScript, listCompletable, type Shell, shells } from './completion-scripts.ts';
import { initCommand } from './init.ts';
import type { Io } from './io.ts';
import { mcpCommand } from './mcp-command.ts';
import { command as proxyCommand } from './proxy-command.ts';
import { workflowsCommand } from './workflows-command.ts';
import { workspacesCommand } from './workspaces.ts';

const help = `
Examples:
  source <(rewards-sandbox completion bash)            for this shell; add it to ~/.bashrc for every shell
  source <(rewards-sandbox completion zsh)             add it to ~/.zshrc, after compinit
  rewards-sandbox completion fish > ~/.config/fish/completions/rewards-sandbox.fish

Exit codes:
  0 printed   2 usage error`;

function completionCommand(print: (shell: Shell) => void): Command {
  return new Command('rewards-sandbox completion')
    .description('Print a shell script that completes commands, flags and their values.')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(shells))
    .version(version)
    .addHelpText('after', help)
    .exitOverride()
    .action(print);
}

const nothing = async () => {};

/** All commands: with none named, the start's flags. */
function allCommands(own: Command): Completable[] {
  const start = command(version);
  const grouped = [
    proxyCommand(version, { check: nothing, proxy: nothing, mock: nothing }),
    certificateCommand(version, { verify: nothing, badge: nothing }),
    backupCommands(version, nothing),
    workspacesCommand(version, { list: nothing, change: nothing, remove: nothing }),
  ];
  return [
    ...listCompletable(start, []),
    ...listCompletable(start, ['start']),
    ...grouped.flatMap((group) => group.commands.flatMap((each) => listCompletable(each, [each.name()]))),
    ...listCompletable(workflowsCommand(version), ['workflows']),
    ...listCompletable(certifyCommand(version), ['certify']),
    ...listCompletable(initCommand(version), ['init']),
    ...listCompletable(mcpCommand(version), ['mcp']),
    ...listCompletable(own, ['completion']),
  ];
}

/** Prints the script of a shell. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const program = completionCommand((shell) => {
    io.stdout.write(completionScript(shell, allCommands(program)));
  });
  return (await parse(program, io, io.args.slice(1))) ?? 0;
}
