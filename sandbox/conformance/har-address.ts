import type { ServerAddresses } from './har.ts';

/**
 * The whole address of a call that a capture knows by path and query only: at the server that was named for it, else at the
 * host that the capture names. Undefined where it is no address.
 */
export function wholeAddress(target: string, addresses: ServerAddresses, host?: string): string | undefined {
  if (!target.startsWith('/')) return URL.canParse(target) ? target : undefined;
  const isBelow = ({ pathname }: URL) => target.startsWith(`${pathname.replace(/\/$/, '')}/`);
  const named = Object.values(addresses).find(isBelow);
  return `${named?.origin ?? `http://${host ?? 'localhost'}`}${target}`;
}

/** Headers in HAR form; undefined if they were not recorded. A header with several values is repeated. */
export function headersOf(headers: unknown): { name: string; value: string }[] | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const isPair = (one: unknown): one is { name: string; value: unknown } =>
    typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string' && 'value' in one;
  const pairs = Array.isArray(headers)
    ? headers.filter(isPair).map(({ name, value }) => [name, value] as const)
    : Object.entries(headers);
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
      .map((one) => ({ name, value: String(one) })),
  );
}
