/** The command line of `mcp`. Its own composition root: it calls a sandbox that runs elsewhere. */
import { agentServer, type CallSandbox } from '../agents/server.ts';
import { serveStreams } from '../agents/stdio.ts';
import { readContract } from '../contract/document.ts';
import { letReadersLeave } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { parse } from './command-line.ts';
import { type Io, say } from './io.ts';
import { type McpFlags, mcpCommand } from './mcp-command.ts';
import { noAnswer, type RunningSandbox } from './running-sandbox.ts';

/** Milliseconds that a call may take: the longest `wait` is 30 seconds. */
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
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const program = mcpCommand(version);
  const ended = await parse(program, io, io.args.slice(1));
  if (ended !== undefined) return ended;
  const flags = program.opts<McpFlags>();
  const { write = false } = flags;
  const onProblem = ({ message }: Error) => say(io, message);
  const howToAllow = 'Start with --write to allow it.';
  const options = { version, write, howToAllow, contract: readContract('sandbox'), callSandbox: callerOf(flags) };
  const streams = { input: io.stdin(), output: io.stdout, onProblem };
  const hasEnded = await serveStreams(streams, () => agentServer(options));
  return hasEnded ? 0 : 1;
}
