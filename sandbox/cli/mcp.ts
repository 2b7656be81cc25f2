/** The `mcp` command, which connects an agent to a remote sandbox. It has its own composition root. */
import type { Command } from 'commander';
import type { CallSandbox } from '../agents/server.ts';
import { version } from '../version.ts';
import { type Act, noAnswer, type RunningSandbox, withSandbox } from './command-line.ts';
import { type Io, say } from './io.ts';

interface McpFlags extends RunningSandbox {
  readonly write?: boolean;
}

const help = `
Examples:
  rewards-sandbox mcp                                   read from the sandbox on port 4010
  rewards-sandbox mcp --write                           also allow changes: the clock, faults, customers, certifications
  claude mcp add rewards -- rewards-sandbox mcp         add it to an agent's configuration

Speaks the Model Context Protocol over stdin and stdout until stdin closes: revision 2026-07-28 and earlier ones. The
tools are the operations of the control API, plus readPage for the documentation. A running sandbox serves the same tools
over HTTP, at POST /sandbox/v1/mcp.

Exit codes:
  0 stdin closed   1 a message was larger than 1 MiB   2 usage error`;

/** Adds the `mcp` command to the program. */
export function addTo(program: Command, act: Act): void {
  const named = program
    .command('mcp')
    .description('Connect an AI agent to a running sandbox over the Model Context Protocol.');
  withSandbox(named)
    .option('--write', 'also offer tools that make changes or show credentials')
    .version(version)
    .addHelpText('after', help)
    .action(act(serve));
}

/** Maximum duration of a call, in milliseconds. The longest `wait` is 30 seconds. */
const timeout = 60_000;

function callerOf(running: RunningSandbox): CallSandbox {
  const { sandbox, adminToken } = running;
  const authorization = adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` };
  return async ({ method, target, body, signal }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    try {
      const reply = await fetch(`${sandbox}${target}`, { method, headers, ...sent, signal: ending });
      return { status: reply.status, text: await reply.text() };
    } catch (error) {
      throw new Error(noAnswer(running, error));
    }
  };
}

/** Answers an agent on stdin and stdout until stdin closes. */
async function serve(io: Io, flags: McpFlags): Promise<number> {
  const { write = false } = flags;
  const { agentServer, serveStreams } = await import('../agents/server.ts');
  const { readContract } = await import('../contract/document.ts');
  const onProblem = ({ message }: Error) => say(io, message);
  const howToAllow = 'Start with --write to allow it.';
  const options = { version, write, howToAllow, contract: readContract('sandbox'), callSandbox: callerOf(flags) };
  const streams = { input: io.stdin(), output: io.stdout, onProblem };
  const hasEnded = await serveStreams(streams, () => agentServer(options));
  return hasEnded ? 0 : 1;
}
