import type { Verdict } from './checker.ts';
import { type Exchange, header, type Message } from './exchange.ts';
import type { Report } from './finding-collector.ts';
import { withheldCredential } from './har.ts';

/** Parts of a checked exchange that the capture does not have (OP-155). A state change in the log is always complete. */
export function captureGaps({ request, reply }: Exchange, { operation }: Verdict): Report['incomplete'] {
  const withheld =
    header(request.headers, 'authorization') === withheldCredential && (operation?.security.length ?? 0) > 0;
  const messages = reply === undefined ? [request] : [request, reply];
  const count = (hasGap: (message: Message) => boolean) => messages.filter(hasGap).length;
  return {
    messages:
      count((message) => isBodyMissing(message) || areHeadersMissing(message) || (withheld && message === request)) +
      (reply === undefined ? 1 : 0),
    bodies: count(isBodyMissing),
    headers: count(areHeadersMissing),
    credentials: withheld ? 1 : 0,
    replies: reply === undefined ? 1 : 0,
  };
}

function isBodyMissing({ body }: Message): boolean {
  return body.kind === 'uncaptured';
}

function areHeadersMissing({ headers }: Message): boolean {
  return headers === undefined;
}
