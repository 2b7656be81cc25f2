/** How far a reply is believed: each reply under each judgement, with what the log is told (decision 037). */
import { describe, expect, it } from 'vitest';
import { wrappedMessage } from '../../sandbox/contract/envelopes.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { answerOf, type CameBack, type Judged, judge, type Outcome } from '../../sandbox/runtime/reply.ts';

const sent = { success: true, status: 200, reference_id: 'OTP-1', expires_in: 300, mobile: '***0001' };
const failed = (status: number, name: string, type: string) => ({
  success: false,
  status,
  data: { name, message: 'Not now.', code: 0, status, type },
});
const no = failed(422, 'Unprocessable entity', 'UnprocessableEntityHttpException');
const crashed = failed(500, 'Internal Server Error', 'ServerErrorHttpException');

const came = (status: number, text: string, chunked = false): CameBack => ({
  status,
  text,
  bytes: Buffer.byteLength(text),
  empty: status === 204 || (text === '' && !chunked),
});

const replies = {
  success: came(200, JSON.stringify(sent)),
  refusal: came(422, JSON.stringify(no)),
  'failure of the server': came(500, JSON.stringify(crashed)),
  'success of another form': came(200, '{}'),
  'refusal of another form': came(422, '{}'),
  'status outside the contract': came(418, '{}'),
  'success that is no JSON': came(200, '<html>'),
  'failure that is no JSON': came(500, '<html>'),
  'success without a body': came(200, ''),
  'success without a body, in chunks': came(200, '', true),
  'refusal without a body': came(422, ''),
  'refusal without a body, in chunks': came(422, '', true),
} as const;

type Reply = keyof typeof replies;
type By = Judged['by'];
/** An outcome and what is noted; or the error with which the reply counts as none. */
type Row =
  | [Outcome, { reply: unknown; replyBytes?: number; notices: readonly string[]; deviations?: unknown }]
  | string;

const contract = loadContract('auth');
const statuses = 'status 200, 400, 401, 413, 415, 422, 500, 503';
const accepted = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body });
const refused = (message: string): Outcome => ({ kind: 'refused', status: 422, message });
const undecided = (status: number, reason: string): Outcome => ({ kind: 'no_answer', status, reason });
const broken = (status: number, reason: string, deviations: unknown): Outcome =>
  ({ kind: 'broken', status, reason, deviations }) as Outcome;
const lacks = (field: string) => ({ pointer: `/${field}`, expected: 'is required', actual: 'nothing' });
const whole = [{ pointer: '', expected: 'must be object', actual: 'nothing' }];
const text = [{ pointer: '', expected: 'must be object', actual: '"<html>"' }];
const emptyText = [{ pointer: '', expected: 'must be object', actual: '""' }];
const teapot = [{ pointer: '', expected: statuses, actual: 'status 418' }];
const unread = [{ pointer: '', expected: 'JSON', actual: '6 characters that are not JSON' }];
const fields = ['success', 'status', 'reference_id', 'expires_in', 'mobile'].map(lacks);
const error = ['success', 'status', 'data'].map(lacks);

const noJson = `Unexpected token '<', "<html>" is not valid JSON`;
const cutOff = 'Unexpected end of JSON input';
const strict = (status: number, reason: string, deviations: unknown, reply?: unknown): Row => [
  broken(status, reason, deviations),
  { reply, notices: [reason], deviations },
];
const checked = (status: number, reason: string, deviations: unknown, reply?: unknown): Row => [
  broken(status, reason, deviations),
  { reply, notices: [reason] },
];
const taken = (outcome: Outcome, reply: unknown, replyBytes: number): Row => [
  outcome,
  { reply, replyBytes, notices: [] },
];
const byStatus = (outcome: Outcome): Row => [outcome, { reply: null, notices: [] }];

const required = 'reply /success is required';
const noObject = 'reply  must be object';
const unknown = 'status 418 is not in the contract';
const bytes = (body: unknown) => JSON.stringify(body).length;

const table: Record<By, Record<Reply, Row>> = {
  strict: {
    success: [accepted(sent), { reply: sent, notices: [] }],
    refusal: [refused('Not now.'), { reply: no, notices: [] }],
    'failure of the server': [
      undecided(500, 'status 500: Not now.'),
      { reply: crashed, notices: ['status 500: Not now.'] },
    ],
    'success of another form': strict(200, required, fields, {}),
    'refusal of another form': strict(422, required, error, {}),
    'status outside the contract': strict(418, unknown, teapot, {}),
    'success that is no JSON': strict(200, 'the reply is not JSON', unread),
    'failure that is no JSON': strict(500, 'the reply is not JSON', unread),
    'success without a body': strict(200, noObject, whole),
    'success without a body, in chunks': strict(200, noObject, whole),
    'refusal without a body': strict(422, noObject, whole),
    'refusal without a body, in chunks': strict(422, noObject, whole),
  },
  checked: {
    success: [accepted(sent), { reply: sent, notices: [] }],
    refusal: [refused('Not now.'), { reply: no, notices: [] }],
    'failure of the server': [undecided(500, 'status 500: Not now.'), { reply: crashed, notices: [] }],
    'success of another form': checked(200, required, fields, {}),
    'refusal of another form': checked(422, required, error, {}),
    'status outside the contract': checked(418, unknown, teapot, {}),
    'success that is no JSON': noJson,
    'failure that is no JSON': checked(500, noObject, text, '<html>'),
    'success without a body': checked(200, noObject, whole),
    'success without a body, in chunks': cutOff,
    'refusal without a body': checked(422, noObject, whole),
    'refusal without a body, in chunks': checked(422, noObject, emptyText, ''),
  },
  taken: {
    success: taken(accepted(sent), sent, bytes(sent)),
    refusal: taken(refused('Not now.'), no, bytes(no)),
    'failure of the server': taken(undecided(500, 'Not now.'), crashed, bytes(crashed)),
    'success of another form': taken(accepted({}), {}, 2),
    'refusal of another form': taken(refused('status 422'), {}, 2),
    'status outside the contract': taken(undecided(418, 'status 418'), {}, 2),
    'success that is no JSON': noJson,
    'failure that is no JSON': taken(undecided(500, 'status 500'), '<html>', 6),
    'success without a body': taken(undecided(200, 'status 200'), undefined, 0),
    'success without a body, in chunks': cutOff,
    'refusal without a body': taken(refused('status 422'), undefined, 0),
    'refusal without a body, in chunks': taken(refused('status 422'), '', 0),
  },
  status: {
    success: byStatus(accepted(undefined)),
    refusal: byStatus(refused('status 422')),
    'failure of the server': byStatus(undecided(500, 'status 500')),
    'success of another form': byStatus(accepted(undefined)),
    'refusal of another form': byStatus(refused('status 422')),
    'status outside the contract': byStatus(undecided(418, 'status 418')),
    'success that is no JSON': byStatus(accepted(undefined)),
    'failure that is no JSON': byStatus(undecided(500, 'status 500')),
    'success without a body': byStatus(accepted(undefined)),
    'success without a body, in chunks': byStatus(accepted(undefined)),
    'refusal without a body': byStatus(refused('status 422')),
    'refusal without a body, in chunks': byStatus(refused('status 422')),
  },
};

const refusals = { refuses: (status: number) => status === 422, message: wrappedMessage };

describe.each(Object.keys(table) as By[])('judged by %s', (by) => {
  it.each(Object.keys(replies) as Reply[])('a %s', (reply) => {
    const judged: Judged = by === 'strict' || by === 'checked' ? { by, contract } : { by };
    const verdict = () => judge('generateOtp', judged, refusals, replies[reply]);
    const row = table[by][reply];
    if (typeof row === 'string') expect(verdict).toThrow(row);
    else expect(verdict()).toStrictEqual({ outcome: row[0], noted: row[1] });
  });
});

it('to the rules a reply that broke the contract is no answer, and statuses are left behind', () => {
  const outcomes = [accepted(sent), refused('No.'), undecided(500, 'status 500'), broken(200, required, fields)];
  expect(outcomes.map(answerOf)).toStrictEqual([
    { kind: 'accepted', body: sent },
    { kind: 'refused', message: 'No.' },
    { kind: 'no_answer', reason: 'status 500' },
    { kind: 'no_answer', reason: required },
  ]);
});
