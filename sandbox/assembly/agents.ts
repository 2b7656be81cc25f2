import type { CallSandbox } from '../agents/server.ts';
import { loadContract } from '../contract/schemas.ts';
import type { Control } from '../control/control.ts';
import type { Outgoing } from '../http-client/outgoing.ts';

/** What agents of a workspace are answered with. */
interface AgentsOf {
  readonly version: string;
  readonly calls: Pick<Outgoing, 'send'>;
  /** The address of the sandbox, once it listens. */
  readonly origin: () => string;
  readonly adminToken: string;
}

/**
 * Answers agents of one workspace. Their tools call the control API over HTTP with the token of the workspace, so that
 * they can do what its holder can, and nothing else. The SDK is loaded by the first message.
 */
export function makeAgents({ version, calls, origin, adminToken }: AgentsOf): Control['agents'] {
  const callSandbox: CallSandbox = async ({ method, target, body, signal }) => {
    const headers = {
      authorization: `Bearer ${adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const reply = await calls.send('agent', { method, url: `${origin()}${target}`, headers, body: text, signal });
    return { status: reply.status, text: reply.body.toString() };
  };
  return {
    answer: async ({ write, ...post }) => {
      const { answerPost } = await import('../agents/http.ts');
      const howToAllow = 'Use tools=all in the URL to allow it.';
      const contract = loadContract('sandbox');
      return answerPost(post, { version, write, howToAllow, contract, callSandbox });
    },
  };
}
