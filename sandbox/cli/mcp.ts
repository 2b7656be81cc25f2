/** The command line of `mcp`. Its own composition root: it calls a sandbox that runs elsewhere. */
import { CommanderError } from 'commander';
import { serveLines } from '../agents/json-rpc.ts';
import { type Ask, agentServer } from '../agents/server.ts';
import { readContract } from '../contract/document.ts';
import { letReadersLeave } from '../runtime/terminal.ts';
import { version } from '../version.ts';
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

async function main(args: readonly string[]): Promise<number> {
  const program = mcpCommand(version);
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  const flags = program.opts<McpFlags>();
  const { sandbox, write = false } = flags;
  const answer = agentServer({ sandbox, write, contract: readContract('sandbox'), ask: askAt(flags) });
  process.stdin.setEncoding('utf8');
  await serveLines(process.stdin as AsyncIterable<string>, answer, (line) => void process.stdout.write(line));
  return 0;
}

letReadersLeave(process.stdout, process.stderr);
process.exitCode = await main(process.argv.slice(3));
