import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Longest that a tool waits, in seconds. */
const mostSeconds = 60;

/** Answers one message of an agent (OP-221). A tool that waits holds no slot of the listener. */
export async function sendMcpMessage(
  control: Control,
  call: ControlCall<'sendMcpMessage'>,
): Promise<ControlReply<'sendMcpMessage'>> {
  const { header, query, body: message } = call;
  const { gone: signal, aside } = call.patience(mostSeconds);
  const headers = header as Readonly<Record<string, string>>;
  const reply = await aside(control.agents.answer({ headers, message, signal, write: query.tools === 'all' }));
  // The statuses and bodies are those of the protocol; the contract has them, and each reply is checked against it.
  return reply as ControlReply<'sendMcpMessage'>;
}
