import type { Node } from '../../sandbox/contract/document.ts';
import type { Spot } from './operations.ts';
import type { Rated } from './rating.ts';

/** A change in the terms of a call: the host, the address or the credential. */
export interface Term extends Rated {
  /** The operation keyword that defines the term. */
  readonly keyword: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface Side {
  readonly bundle: Node;
  readonly spot: Spot;
}

/** Compares an operation's effective terms, which a contract may define at any level. */
export function* terms(old: Side, now: Side): Generator<Term> {
  const [hostBefore, hostNow] = [old.spot.node['x-hosted-by'], now.spot.node['x-hosted-by']];
  if (hostBefore !== hostNow) {
    const sentence = `The ${hostNow} hosts it, and no longer the ${hostBefore}.`;
    const must = `Call it at the ${hostNow}, or host it if that is you.`;
    yield { rating: 'breaking', sentence, must, keyword: 'x-hosted-by', before: hostBefore, after: hostNow };
  }
  const [addressesBefore, addressesNow] = [addresses(old), addresses(now)];
  if (differ(addressesBefore, addressesNow)) {
    const servesOldAddresses = addressesBefore.every((address) => addressesNow.includes(address));
    const change = { keyword: 'servers', before: addressesBefore, after: addressesNow };
    if (servesOldAddresses)
      yield { rating: 'additive', sentence: 'It is served at another address as well.', ...change };
    else
      yield {
        rating: 'breaking',
        sentence: 'Its address changed.',
        must: 'Use the address of the contract.',
        ...change,
      };
  }
  const [waysBefore, waysNow] = [credentials(old), credentials(now)];
  if (differ(waysBefore, waysNow)) {
    // Callers with a previously sufficient credential still have access. A host must know which credential it receives.
    const enough = waysBefore.every((way) => waysNow.some((other) => other.every((name) => way.includes(name))));
    const change = { keyword: 'security', before: waysBefore, after: waysNow };
    if (enough && !now.spot.called)
      yield { rating: 'additive', sentence: 'It takes other credentials as well.', ...change };
    else
      yield {
        rating: 'breaking',
        sentence: 'Its credential changed.',
        must: now.spot.called ? 'Accept the credential of the contract.' : 'Send the credential of the contract.',
        ...change,
      };
  }
}

function addresses({ bundle, spot }: Side): string[] {
  const item = (bundle[spot.section] as Record<string, Node>)[spot.path];
  const servers = (spot.node.servers ?? item?.servers ?? bundle.servers ?? []) as readonly { readonly url: string }[];
  return servers.map(({ url }) => url).sort();
}

/** Returns the alternative credentials, each as a list of scheme names. For an operation without security, the only alternative is empty. */
function credentials({ bundle, spot }: Side): string[][] {
  const security = (spot.node.security ?? bundle.security ?? []) as readonly Node[];
  const ways = security.map((alternative) => Object.keys(alternative).sort());
  return ways.length === 0 ? [[]] : ways.sort((one, other) => (String(one) < String(other) ? -1 : 1));
}

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
