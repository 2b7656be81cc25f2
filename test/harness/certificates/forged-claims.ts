/** Certificates with a valid signature by the forger's key, but with claims that a reader must reject. */
import {
  aiming,
  claiming,
  claims,
  cutOff,
  drawn,
  type Forgery,
  first,
  head,
  judging,
  signature,
  signed,
  without,
} from './forger.ts';

const malformed = (rest: string) => new RegExp(`^Its claims are malformed: ${rest}`);
const notText = (claim: string) => malformed(`/${claim} must match `);
const overstated = /^Its outcome does not match /;
const notCanonical = /^Its claims are not in the canonical form /;

export const contradictions: readonly Forgery[] = [
  [
    'an invented edition without a verdict',
    () => claiming({ requirements: '9.9', verdicts: {} }),
    malformed('/verdicts '),
  ],
  ['an invented edition', () => claiming({ requirements: '9.9' }), /^Unknown edition 9\.9\./],
  ['a path for an edition', () => claiming({ requirements: '../1.0' }), malformed('/requirements')],
  [
    'another digest of the requirements',
    () => claiming({ requirements_digest: 'a'.repeat(64) }),
    /^Its requirements differ from edition current in this version\./,
  ],
  [
    'more judged than its verdicts say',
    () => judging({ [first]: { level: 'must', verdict: 'not_selected' } }, { outcome: 'partial' }),
    'Its coverage does not match its verdicts.',
  ],
  ['no verdict', () => claiming({ verdicts: {} }), malformed('/verdicts ')],
  [
    'a requirement less',
    () => claiming({ verdicts: without(claims.verdicts, first) }),
    '1 requirements of its edition are missing.',
  ],
  [
    'one requirement only',
    () => claiming({ verdicts: { [first]: claims.verdicts[first] } }),
    /^\d+ requirements of its edition are missing\.$/,
  ],
  [
    'a requirement that its edition does not have',
    () => judging({ 'ZZZ-01': { level: 'must', verdict: 'pass' } }),
    'It contains ZZZ-01, which is not in its edition.',
  ],
  [
    'a requirement at another level',
    () => judging({ 'CRD-02': { level: 'should', verdict: 'fail' } }),
    '1 requirements of its edition are missing.',
  ],
  ['a failure that it calls passed', () => judging({ 'CRD-02': { level: 'must', verdict: 'fail' } }), overstated],
  [
    'a requirement that was not judged, and passed all the same',
    () => judging({ 'CRD-02': { level: 'must', verdict: 'not_selected' } }),
    overstated,
  ],
  [
    'nothing that applies, and passed all the same',
    () =>
      claiming({
        verdicts: Object.fromEntries(
          Object.entries(claims.verdicts).map(([id, { level }]) => [id, { level, verdict: 'not_applicable' }]),
        ),
      }),
    overstated,
  ],
];

export const malformedClaims: readonly Forgery[] = [
  ...[null, true, 7, '"text"', [], {}].map(
    (value) =>
      [
        `${JSON.stringify(value)} in place of claims`,
        () => signed(typeof value === 'string' ? value : JSON.stringify(value)),
        /^Its claims are malformed: /,
      ] as const,
  ),
  ['no JSON in place of claims', () => signed('claims'), 'Its claims are not JSON.'],
  ['nothing in place of claims', () => `${head}..${signature}`, cutOff],
  [
    'a byte that is no UTF-8',
    () => signed(Buffer.from(JSON.stringify({ ...claims, witness: 'Acme \u00ff' }), 'latin1')),
    notCanonical,
  ],
  ['claims nested 100,000 deep', () => signed('['.repeat(100_000) + ']'.repeat(100_000)), /^Its claims are /],
  [
    'a claim that stands twice',
    () => signed(JSON.stringify(claims).replace('{', '{"outcome":"failed",')),
    notCanonical,
  ],
  [
    'a verdict that stands twice',
    () =>
      signed(
        JSON.stringify(claims).replace('"verdicts":{', `"verdicts":{"${first}":{"level":"must","verdict":"fail"},`),
      ),
    notCanonical,
  ],
  [
    'a prototype among its claims',
    () => signed(JSON.stringify(claims).replace('{', '{"__proto__":{"outcome":"passed"},')),
    malformed('/__proto__'),
  ],
  ...Object.keys(claims).flatMap(
    (name) =>
      [
        [`no ${name}`, () => signed(JSON.stringify(without(claims, name))), malformed(`/${name} is required`)],
        [`a number for ${name}`, () => claiming({ [name]: 7 }), malformed(`/${name} `)],
        ...(name === 'witness'
          ? []
          : [[`null for ${name}`, () => claiming({ [name]: null }), malformed(`/${name} `)] as const]),
      ] as const,
  ),
  ['a text for not_proven', () => claiming({ not_proven: 'x' }), malformed('/not_proven ')],
  ['nothing that it does not prove', () => claiming({ not_proven: [] }), malformed('/not_proven ')],
  ['a verdict that is null', () => judging({ [first]: null }), malformed('/verdicts/')],
  ['an unknown verdict', () => judging({ [first]: { level: 'must', verdict: 'excellent' } }), malformed('/verdicts/')],
  ['an unknown outcome', () => claiming({ outcome: 'certified' }), malformed('/outcome ')],
  ['a run that was interrupted', () => claiming({ outcome: 'interrupted' }), malformed('/outcome ')],
  ['an API that there is not', () => aiming({ api: 'v3' }), malformed('/target/api ')],
  ['an address with credentials', () => aiming({ client_url: 'http://a:b@bank.example' }), /\/target\/client_url /],
  ['an address that is a script', () => aiming({ client_url: 'javascript:alert(1)' }), /\/target\/client_url /],
  ['a date that there is not', () => claiming({ issued_at: '2026-02-30T04:30:12.000Z' }), malformed('/issued_at ')],
  ['a day without a time', () => claiming({ issued_at: '2026-01-12' }), malformed('/issued_at ')],
  [
    'a date before there were certificates',
    () => claiming({ issued_at: '1970-01-01T00:00:00.000Z' }),
    malformed('/issued_at '),
  ],
  ['a date to come', () => claiming({ issued_at: '2031-01-12T04:30:12.000Z' }), 'Its issue date is in the future.'],
  ['a time of expiry that is over', () => claiming({ exp: 1_700_000_000 }), malformed('/exp is an unknown field')],
  ['a time from which it holds', () => claiming({ nbf: 4_000_000_000 }), malformed('/nbf is an unknown field')],
];

export const unprintableClaims: readonly Forgery[] = [
  ['lines of its own in its seed', () => claiming({ seed: drawn }), notText('seed')],
  ['lines of its own in its witness', () => claiming({ witness: drawn }), notText('witness')],
  ['lines of its own in its address', () => aiming({ client_url: `http://a\n${drawn}` }), /\/target\/client_url /],
  ['lines of its own in its version', () => claiming({ suite: '0.1.0\nPASSED: x' }), notText('suite')],
  ['lines of its own in what it does not prove', () => claiming({ not_proven: [drawn] }), notText('not_proven/0')],
  [
    'lines of its own in a name',
    () => claiming({ 'a\nPASSED: x': 1 }),
    malformed('/a\\\\u000aPASSED: x is an unknown field'),
  ],
  ['80 blank lines', () => claiming({ seed: `s${'\n'.repeat(80)}` }), notText('seed')],
  ['a line drawn by blanks', () => claiming({ seed: `s${' '.repeat(63)}Signed by Acme Bank` }), notText('seed')],
  ['a carriage return', () => claiming({ witness: 'Mallory\rAcme Bank' }), notText('witness')],
  ['an escape sequence', () => claiming({ witness: '\u001b[2J\u001b[HAcme Bank' }), notText('witness')],
  ['an escape sequence of one character', () => claiming({ witness: '\u009b2JAcme Bank' }), notText('witness')],
  ['text that is turned around', () => claiming({ witness: '\u202eknaB emcA' }), notText('witness')],
  ['a character without width', () => claiming({ witness: 'Acme\u200bBank' }), notText('witness')],
  ['a byte order mark', () => aiming({ client_url: 'http://bank.example\ufeff' }), /\/target\/client_url /],
  ['tags that nobody sees', () => claiming({ witness: 'Acme Bank\u{e0041}' }), notText('witness')],
  ['half a character', () => claiming({ witness: 'Acme \ud800' }), notText('witness')],
  ['markup in its API', () => aiming({ api: 'v1"><script>alert(document.domain)</script>' }), /\/target\/api /],
  ['markup in its date', () => claiming({ issued_at: '<script/>' }), /\/issued_at /],
  ['markup in its outcome', () => claiming({ outcome: 'passed</title><script>' }), /\/outcome /],
  ['a seed of 100,000 characters', () => claiming({ seed: 's'.repeat(100_000) }), malformed('/seed ')],
  [
    'an address of 100,000 characters',
    () => aiming({ client_url: `http://${'a'.repeat(100_000)}` }),
    /\/target\/client_url /,
  ],
  [
    '10,000 things that it does not prove',
    () => claiming({ not_proven: Array.from({ length: 10_000 }, () => 'x') }),
    malformed('/not_proven '),
  ],
  [
    '10,000 requirements',
    () =>
      judging(
        Object.fromEntries(
          Array.from({ length: 10_000 }, (_, at) => [
            `Z${at % 1000}-${10 + (at % 90)}`,
            { level: 'must', verdict: 'pass' },
          ]),
        ),
      ),
    malformed('/verdicts '),
  ],
];
