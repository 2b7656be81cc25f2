/** The command line of `mcp`: its flags and help. */
import { Command } from 'commander';
import { type RunningSandbox, withSandbox } from './running-sandbox.ts';

export interface McpFlags extends RunningSandbox {
  readonly write?: boolean;
}

const help = `
Examples:
  rewards-sandbox mcp                                   reads from the sandbox on port 4010
  rewards-sandbox mcp --write                           also changes it: the clock, faults, customers, certifications
  claude mcp add rewards -- rewards-sandbox mcp         as an agent's configuration starts it

It speaks the Model Context Protocol on standard input and output until its input ends. The tools are the operations of the
control API, and readPage for the documentation.

Exit codes:
  0 input ended   2 usage`;

/** The command. */
export function mcpCommand(version: string): Command {
  const named = new Command('rewards-sandbox mcp').description(
    'Let an agent look into a running sandbox, over the Model Context Protocol.',
  );
  return withSandbox(named)
    .option('--write', 'allow what changes something or shows credentials')
    .version(version)
    .addHelpText('after', help)
    .exitOverride();
}
