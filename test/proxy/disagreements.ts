/**
 * Disagreements between Prism and the validator. Both validated every example, every violation and thousands of
 * corrupted exchanges (decision 107). Each kind of difference has a fixture, its findings and a decision.
 */
import { type Draft, example } from '../harness/exchanges.ts';

/** A finding that only one of the two reports. */
export interface Difference {
  readonly code: string;
  readonly pointer: string;
  readonly actual: string;
}

export interface Disagreement {
  readonly title: string;
  /** The validator that is right, and the reason. */
  readonly decision: string;
  readonly make: () => Draft;
  readonly prismOnly: readonly string[];
  readonly validatorOnly: readonly string[];
  /** Returns whether a difference is of this kind. */
  readonly covers: (difference: Difference, by: 'prism' | 'validator', draft: Draft) => boolean;
}

function listingWith(query: Record<string, string>): Draft {
  const draft = example('listRewards', 200);
  Object.assign(draft.query, query);
  return draft;
}

const isHead = ({ code }: Difference) => /\.(query|path|header)\./.test(code);

export const disagreements: readonly Disagreement[] = [
  {
    title: 'a query parameter in another letter case',
    decision:
      'The validator: names in a query are case-sensitive (RFC 3986, 6.2.2.1), so `LIMIT` is an unknown parameter (OP-11).',
    make: () => listingWith({ LIMIT: '0' }),
    prismOnly: ['request.query.minimum /query/limit'],
    validatorOnly: [],
    covers: ({ code }, by, { query }) =>
      by === 'prism' && code.startsWith('request.query.') && Object.keys(query).some((name) => /[A-Z]/.test(name)),
  },
  {
    title: 'an empty parameter',
    decision: 'The validator: an empty text was sent, and its schema does not accept it. Prism treats it as not sent.',
    make: () => listingWith({ cursor: '' }),
    prismOnly: [],
    validatorOnly: ['request.query.minLength /query/cursor'],
    covers: (difference, by) => by === 'validator' && isHead(difference) && difference.actual === '""',
  },
  {
    title: 'a whole number in another form',
    decision:
      'The validator: the sandbox accepts a number in digits, without sign, leading zeros, exponent or space. Prism accepts whatever JavaScript parses as a number.',
    make: () => listingWith({ limit: '007' }),
    prismOnly: [],
    validatorOnly: ['request.query.type /query/limit'],
    covers: (difference, by) =>
      by === 'validator' &&
      isHead(difference) &&
      difference.code.endsWith('.type') &&
      /^"[\s\d.e+-]+"$/.test(difference.actual),
  },
  {
    title: 'a leap second in another zone than UTC',
    decision:
      'The validator: the minute that ends with a leap second in UTC ends with it in every zone (RFC 3339, 5.7).',
    make: () => {
      const draft = example('sendPaymentEvent', 202);
      Object.assign(draft.request.body as object, { occurred_at: '2016-12-31T18:59:60-05:00' });
      return draft;
    },
    prismOnly: ['request.body.format /body/occurred_at'],
    validatorOnly: [],
    covers: ({ code, actual }, by) => by === 'prism' && code.endsWith('.body.format') && /:60[+-]/.test(actual),
  },
  {
    title: 'a body of null, false, 0 or an empty text',
    decision: 'The validator: such a body was sent, and its schema requires an object. Prism ignores it.',
    make: () => ({ ...example('companyAuth', 200), request: { ...example('companyAuth', 200).request, body: 'null' } }),
    prismOnly: [],
    validatorOnly: ['request.body.type /body'],
    covers: ({ code, pointer, actual }, by) =>
      by === 'validator' &&
      code.endsWith('.body.type') &&
      pointer === '/body' &&
      ['null', 'false', '0', '""'].includes(actual),
  },
  {
    title: 'a Bearer credential whose scheme is in another letter case',
    decision: 'The validator: names of schemes are case-insensitive (RFC 9110, 11.1).',
    make: () => {
      const draft = example('getWalletDetail', 200);
      Object.assign(draft.request.headers, { authorization: 'bearer x' });
      return draft;
    },
    prismOnly: ['request.credential.scheme /headers/authorization'],
    validatorOnly: [],
    covers: ({ code }, by, { request }) =>
      by === 'prism' && code.endsWith('.credential.scheme') && /^bearer\s/i.test(request.headers?.authorization ?? ''),
  },
];
