/** The MCP server on a pair of streams. */
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { maxSubscriptions } from './server.ts';

/** Largest message, in bytes. A larger one ends the connection. */
export const maxMessage = 1024 * 1024;

/** The input for requests, the output for replies, and the handler of requests that were not answered. */
export interface AgentStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly onProblem: (problem: Error) => void;
}

/**
 * Answers an agent until its input ends or a message is too large. Resolves with whether the input ended. Requests still
 * in progress then are aborted.
 */
export async function serveStreams(
  { input, output, onProblem }: AgentStreams,
  makeServer: () => Server,
): Promise<boolean> {
  const transport = new ClosingTransport(input, output, { maxBufferSize: maxMessage });
  serveStdio(makeServer, { transport, maxSubscriptions, onerror: onProblem });
  await transport.closed;
  const hasEnded = input.readableEnded;
  // Input after a message that is too large is not read.
  input.destroy();
  return hasEnded;
}

/** The SDK's transport, which also says when it has closed. */
class ClosingTransport extends StdioServerTransport {
  readonly #closing = Promise.withResolvers<void>();
  readonly closed = this.#closing.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#closing.resolve();
  }
}
