/** The command line of `mcp`: its flags and help. */
import { Command, InvalidArgumentError, Option } from 'commander';

export interface McpFlags {
  readonly sandbox: string;
  readonly adminToken?: string;
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
  return new Command('rewards-sandbox mcp')
    .description('Let an agent look into a running sandbox, over the Model Context Protocol.')
    .addOption(new Option('--sandbox <url>', 'the sandbox').default('http://127.0.0.1:4010').argParser(origin))
    .addOption(new Option('--admin-token <token>', 'opens its control API').env('REWARDS_SANDBOX_ADMIN_TOKEN'))
    .option('--write', 'allow what changes something or shows credentials')
    .version(version)
    .addHelpText('after', help)
    .exitOverride();
}

function origin(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address.');
  return url.origin;
}
