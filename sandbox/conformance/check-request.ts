import { bodyFlaws, lookAt, made } from './check-body.ts';
import { credentialFlaws, parameterFlaws } from './check-head.ts';
import { type Message, namedHeaders } from './exchange.ts';
import { displayValue, type Flaw } from './flaw.ts';
import type { RuledOperation } from './ruled-operation.ts';

/**
 * Everything in a request that is not as its operation says. The caller is at fault for all of it. `masked` says that
 * secrets were replaced by what is not checked.
 */
export function requestFlaws(
  operation: RuledOperation,
  path: string,
  message: Message,
  masked = false,
): readonly Flaw[] {
  const [place = ''] = path.split('?', 1);
  if (!isDecodable(place)) {
    return [
      made('url.malformed', '/url', 'a path in percent-encoded UTF-8', displayValue('/url', place), operation.pointer),
    ];
  }
  const { requestRule, body } = operation;
  const headers = message.headers && namedHeaders(message.headers, requestRule.headers);
  const { flaws, value } = lookAt(message, requestRule);
  return [
    ...(headers === undefined ? [] : credentialFlaws(operation, headers, masked)),
    ...parameterFlaws(operation, path, headers),
    ...flaws,
    ...(body === undefined || value === undefined ? [] : bodyFlaws(operation, body.schema, value)),
  ];
}

/** Whether the values in a path can be read. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}
