/** Tests which replies are trusted. Covers each reply in each validation mode, with its log entry. */
import { describe, expect, it } from 'vitest';
import { validatingContract } from '../../sandbox/conformance/own-traffic.ts';
import { wrappedMessage } from '../../sandbox/contract/envelopes.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import type { HttpReply } from '../../sandbox/http-client/read-response.ts';
import {
  answerOf,
  judge,
  type Outcome,
  type ReplyValidation,
  saysNo,
  type ValidatingContract,
} from '../../sandbox/http-client/reply.ts';

const otpReply = { success: true, status: 200, reference_id: 'OTP-1', expires_in: 300, mobile: '***0001' };
const failed = (status: number, name: string, type: string) => ({
  success: false,
  status,
  data: { name, message: 'Not now.', code: 0, status, type },
});
const no = failed(422, 'Unprocessable entity', 'UnprocessableEntityHttpException');
const crashed = failed(500, 'Internal Server Error', 'ServerErrorHttpException');

const rawReply = (status: number, text: string, isChunked = false): HttpReply => ({
  status,
  headers: isChunked ? [['transfer-encoding', 'chunked']] : [],
  body: Buffer.from(text),
});

const replies = {
  success: rawReply(200, JSON.stringify(otpReply)),
  refusal: rawReply(422, JSON.stringify(no)),
  'failure of the server': rawReply(500, JSON.stringify(crashed)),
  'success of another form': rawReply(200, '{}'),
  'refusal of another form': rawReply(422, '{}'),
  'status of a class': rawReply(418, '{}'),
  'success outside the contract': rawReply(201, '{}'),
  'success that is not JSON': rawReply(200, '<html>'),
  'failure that is not JSON': rawReply(500, '<html>'),
  'success without a body': rawReply(200, ''),
  'success without a body, in chunks': rawReply(200, '', true),
  'refusal without a body': rawReply(422, ''),
  'refusal without a body, in chunks': rawReply(422, '', true),
} as const;

type Reply = keyof typeof replies;
type By = ReplyValidation['by'];
/** An outcome with its log entry, or the error for an untrusted reply. */
type Row = [Outcome, { reply: unknown; replyBytes?: number; notices: readonly string[] }] | string;

const contract = validatingContract(loadContract('auth', 'interface'));
const accepted = (body: unknown, status = 200): Outcome => ({ kind: 'accepted', status, body });
const refused = (message: string, status = 422): Outcome => ({ kind: 'refused', status, message });
const undecided = (status: number, reason: string): Outcome => ({ kind: 'no_answer', status, reason });
const broken = (status: number, reason: string): Outcome => ({ kind: 'broken', status, reason });

const noJson = `Unexpected token '<', "<html>" is not valid JSON`;
const cutOff = 'Unexpected end of JSON input';
type Verdicts = Record<Reply, Row>;
const logged = (outcome: Outcome, reply: unknown, ...notices: string[]): Row => [outcome, { reply, notices }];
const untrusted = (status: number, reason: string, reply?: unknown) => logged(broken(status, reason), reply, reason);
const sized = (outcome: Outcome, reply: unknown, replyBytes: number): Row => [
  outcome,
  { reply, replyBytes, notices: [] },
];

const required = 'response /success is required';
const noBody = 'the response has no body';
const bytes = (body: unknown) => JSON.stringify(body).length;
const notNow = 'status 500: Not now.';

const strict: Verdicts = {
  success: logged(accepted(otpReply), otpReply),
  refusal: logged(refused('Not now.'), no),
  'failure of the server': logged(undecided(500, notNow), crashed, notNow),
  'success of another form': untrusted(200, required, {}),
  'refusal of another form': logged(refused('status 422'), {}, required),
  'status of a class': logged(refused('status 418', 418), {}),
  'success outside the contract': untrusted(201, 'status 201 is not in the contract', {}),
  'success that is not JSON': untrusted(200, 'the response is not JSON'),
  'failure that is not JSON': logged(undecided(500, 'status 500'), undefined, 'status 500'),
  'success without a body': untrusted(200, noBody),
  'success without a body, in chunks': untrusted(200, noBody),
  'refusal without a body': logged(refused('status 422'), undefined, noBody),
  'refusal without a body, in chunks': logged(refused('status 422'), undefined, noBody),
};
const byStatus = (reply: Reply): Row => {
  const { status } = replies[reply];
  const failure = status === 500 ? undecided(500, 'status 500') : refused(`status ${status}`, status);
  return logged(status < 300 ? accepted(undefined, status) : failure, null);
};

const table: Record<By, Verdicts> = {
  strict,
  checked: {
    ...strict,
    'failure of the server': logged(undecided(500, notNow), crashed),
    'success that is not JSON': noJson,
    'failure that is not JSON': logged(undecided(500, 'status 500'), '<html>'),
    'success without a body, in chunks': cutOff,
    'refusal without a body, in chunks': logged(refused('status 422'), '', noBody),
  },
  trusted: {
    success: sized(accepted(otpReply), otpReply, bytes(otpReply)),
    refusal: sized(refused('Not now.'), no, bytes(no)),
    'failure of the server': sized(undecided(500, 'Not now.'), crashed, bytes(crashed)),
    'success of another form': sized(accepted({}), {}, 2),
    'refusal of another form': sized(refused('status 422'), {}, 2),
    'status of a class': sized(refused('status 418', 418), {}, 2),
    'success outside the contract': sized(accepted({}, 201), {}, 2),
    'success that is not JSON': noJson,
    'failure that is not JSON': sized(undecided(500, 'status 500'), '<html>', 6),
    'success without a body': sized(undecided(200, 'status 200'), undefined, 0),
    'success without a body, in chunks': cutOff,
    'refusal without a body': sized(refused('status 422'), undefined, 0),
    'refusal without a body, in chunks': sized(refused('status 422'), '', 0),
  },
  status: Object.fromEntries((Object.keys(replies) as Reply[]).map((reply) => [reply, byStatus(reply)])) as Verdicts,
};

const refusals = { refuses: saysNo, message: wrappedMessage };
const judgedBy: Readonly<Record<By, ReplyValidation>> = {
  strict: { by: 'strict', contract, read: true },
  checked: { by: 'checked', contract },
  trusted: { by: 'trusted' },
  status: { by: 'status' },
};

function validate(by: ValidatingContract, operation: string, reply: HttpReply) {
  return by.validate({ operation, method: 'POST', url: `/${operation}`, trace: 'a'.repeat(32), request: {}, reply });
}

describe.each(Object.keys(table) as By[])('judged by %s', (by) => {
  it.each(Object.keys(replies) as Reply[])('a %s', (reply) => {
    const validated =
      by === 'strict' || by === 'checked' ? validate(contract, 'generateOtp', replies[reply]) : undefined;
    const verdict = () => judge('generateOtp', judgedBy[by], refusals, replies[reply], validated);
    const row = table[by][reply];
    if (typeof row === 'string') expect(verdict).toThrow(row);
    else expect(verdict()).toStrictEqual({ outcome: row[0], logged: row[1] });
  });
});

it('for the rules, a reply that broke the contract is no answer, and statuses are dropped', () => {
  const outcomes = [accepted(otpReply), refused('No.'), undecided(500, 'status 500'), broken(200, required)];
  expect(outcomes.map(answerOf)).toStrictEqual([
    { kind: 'accepted', body: otpReply },
    { kind: 'refused', message: 'No.' },
    { kind: 'no_answer', reason: 'status 500' },
    { kind: 'no_answer', reason: required },
  ]);
});

describe('of a reply whose fields nobody reads', () => {
  const client = validatingContract(loadContract('client', 'interface'));
  const unread = { by: 'strict', contract: client, read: false } as const;
  const verdict = (operation: string, reply: HttpReply) =>
    judge(operation, unread, refusals, reply, validate(client, operation, reply));
  const done = { success: true, status: 200 };

  it.each([
    ['another body', rawReply(200, '{"credited":true}')],
    ['no JSON', rawReply(200, 'OK')],
    ['no body', rawReply(200, '')],
  ])('OP-102: a success whose form is assumed counts with %s, and the log shows the difference', (_, reply) => {
    const { outcome, logged } = verdict('creditPoints', reply);
    expect(outcome.kind).toBe('accepted');
    expect(validate(client, 'creditPoints', reply).findings).not.toEqual([]);
    expect(logged.notices).toHaveLength(1);
  });

  it.each([201, 202, 204])('OP-102: so it does under the status %d, without a notice', (status) => {
    const { outcome, logged } = verdict('creditPoints', rawReply(status, ''));
    expect([outcome, logged]).toStrictEqual([accepted(undefined, status), { reply: undefined, notices: [] }]);
  });

  it.each([
    ['another body', rawReply(200, '{"success":false,"status":422}')],
    ['another status', rawReply(202, JSON.stringify(done))],
    ['no body', rawReply(200, '')],
  ])('B6: a success whose form is stated does not count with %s', (_, reply) => {
    expect(verdict('saveRedeemDetails', reply).outcome.kind).toBe('broken');
  });

  it('OP-102: fields beyond the contract are no fault, and are dropped', () => {
    const more = { ...done, booking: 'B-1' };
    const { outcome, logged } = verdict('saveRedeemDetails', rawReply(200, JSON.stringify(more)));
    expect([outcome, logged]).toStrictEqual([accepted(done), { reply: more, notices: [] }]);
  });
});

it('OP-101: a 4xx is a refusal, except those that ask for a retry', () => {
  const statuses = [200, 301, 400, 401, 403, 404, 408, 409, 422, 425, 429, 451, 499, 500, 503];
  expect(statuses.filter(saysNo)).toEqual([400, 401, 403, 404, 409, 422, 451, 499]);
});
