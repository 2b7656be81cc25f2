/** The command line of `mcp`: its flags and help. */
import { Command } from 'commander';
import { type RunningSandbox, withSandbox } from './running-sandbox.ts';

export interface McpFlags extends RunningSandbox {
  readonly write?: boolean;
}

const help = `
Examples:
  rewards-sandbox mcp                                   read from the sandbox on port 4010
  rewards-sandbox mcp --write                           also allow changes: the clock, faults, customers, certifications
  claude mcp add rewards -- rewards-sandbox mcp         add it to an agent's configuration

Speaks the Model Context Protocol over stdin and stdout until stdin closes: revision 2026-07-28 and those before it. The
tools are the operations of the control API, plus readPage for the documentation. A running sandbox serves the same tools
over HTTP, at POST /sandbox/v1/mcp.

Exit codes:
  0 stdin closed   1 a message was larger than 1 MiB   2 usage error`;

/** The command. */
export function mcpCommand(version: string): Command {
  const named = new Command('rewards-sandbox mcp').description(
    'Connect an AI agent to a running sandbox over the Model Context Protocol.',
  );
  return withSandbox(named)
    .option('--write', 'also offer tools that make changes or show credentials')
    .version(version)
    .addHelpText('after', help)
    .exitOverride();
}
