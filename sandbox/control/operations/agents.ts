import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Maximum wait of a tool, in seconds. */
const mostSeconds = 60;

/** Answers a message from an agent (OP-221). A waiting tool does not occupy a slot for calls in service. */
export async function sendMcpMessage(
  control: Control,
  call: ControlCall<'sendMcpMessage'>,
): Promise<ControlReply<'sendMcpMessage'>> {
  const { header, query, body: message } = call;
  const { gone: signal, aside } = call.patience(mostSeconds);
  const headers = header as Readonly<Record<string, string>>;
  const reply = await aside(control.agents.answer({ headers, message, signal, write: query.tools === 'all' }));
  // The protocol defines the statuses and bodies. The contract contains them, and each reply is validated against it.
  return reply as ControlReply<'sendMcpMessage'>;
}
