/** The command line of `mcp`. Its own composition root: it calls a sandbox that runs elsewhere. */
import { serveLines } from '../agents/json-rpc.ts';
import { type Ask, agentServer } from '../agents/server.ts';
import { readContract } from '../contract/document.ts';
import { letReadersLeave } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { parse } from './command-line.ts';
import type { Io } from './io.ts';
import { type McpFlags, mcpCommand } from './mcp-command.ts';
import { noAnswer, type RunningSandbox } from './running-sandbox.ts';

/** A call that waits longest asks for 30 seconds. */
const longest = 60_000;

function askAt(running: RunningSandbox): Ask {
  const { adminToken } = running;
  const authorization = adminToken === undefined ? {} : { Authorization: `Bearer ${adminToken}` };
  return async ({ method, url, body }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
    try {
      const reply = await fetch(url, { method, headers, ...sent, signal: AbortSignal.timeout(longest) });
      return { status: reply.status, text: await reply.text() };
    } catch (error) {
      throw new Error(noAnswer(running, error));
    }
  };
}

/** Answers an agent on stdin and stdout until its input ends. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const program = mcpCommand(version);
  const ended = await parse(program, io, io.args.slice(1));
  if (ended !== undefined) return ended;
  const flags = program.opts<McpFlags>();
  const { sandbox, write = false } = flags;
  const answer = agentServer({ sandbox, write, contract: readContract('sandbox'), ask: askAt(flags) });
  const stdin: AsyncIterable<string> = io.stdin().setEncoding('utf8');
  await serveLines(stdin, answer, (line) => void io.stdout.write(line));
  return 0;
}
