import type { Verdict } from './checker.ts';
import { type Exchange, header, type Message } from './exchange.ts';
import type { Report } from './finding-collector.ts';
import { withheldCredential } from './har.ts';

/** What a capture lacks of an exchange that was checked (OP-155). A change of state of the log lacks nothing. */
export function captureGaps({ request, reply }: Exchange, { operation }: Verdict): Report['incomplete'] {
  const withheld =
    header(request.headers, 'authorization') === withheldCredential && (operation?.security.length ?? 0) > 0;
  const messages = reply === undefined ? [request] : [request, reply];
  const count = (lacks: (message: Message) => boolean) => messages.filter(lacks).length;
  return {
    messages:
      count((message) => lacksBody(message) || lacksHeaders(message) || (withheld && message === request)) +
      (reply === undefined ? 1 : 0),
    bodies: count(lacksBody),
    headers: count(lacksHeaders),
    credentials: withheld ? 1 : 0,
    replies: reply === undefined ? 1 : 0,
  };
}

function lacksBody({ body }: Message): boolean {
  return body.kind === 'uncaptured';
}

function lacksHeaders({ headers }: Message): boolean {
  return headers === undefined;
}
