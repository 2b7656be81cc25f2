/** Tests the effect of answers to open points, over the control API and with the command (OP-251). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { advance, pay } from '../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const told = { by: 'Jane Doe', date: '2026-11-28' };
const agreed = { answer: 'agreed', ...told } as const;
const differs = { answer: 'differs', ...told, text: 'Any body is fine.' } as const;

type Answer = typeof agreed | typeof differs | { answer: 'settled'; by: string; date: string; value: object };

const answer = ({ control }: Pick<TestSandbox, 'control'>, answers: Record<string, Answer>) =>
  control.PUT('/open-points/answers', { body: { answers: answers as never } });

/** Starts a sandbox with a partner's server that answers a credit with an empty object. OP-16 assumes `success` and `status`. */
async function withMistake(): Promise<TestSandbox> {
  const sandbox = await testSandbox();
  await stubClient(sandbox, ({ operation }) => (operation === 'creditPoints' ? { status: 200, body: {} } : 'pass'));
  await pay(sandbox);
  await advance(sandbox, 1);
  return sandbox;
}

/** Returns the severity and the answer of each finding in the credit reply. */
async function found({ control }: TestSandbox) {
  const { items } = ok(await control.GET('/findings', { params: { query: { wait: 60 } } }));
  const ofCredit = items.filter(({ operation, basis }) => operation === 'creditPoints' && basis === 'OP-16');
  return [...new Set(ofCredit.map((item) => JSON.stringify([item.severity, item.answer?.answer, item.answer?.by])))];
}

/** Runs `check` on an export of the log. */
async function check({ control }: TestSandbox, answers?: Record<string, Answer>) {
  const folder = await temporaryFolder();
  const log = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  await writeFile(join(folder, 'activity.json'), JSON.stringify(log));
  await writeFile(join(folder, 'answers.yaml'), JSON.stringify({ answers }));
  const flags = answers === undefined ? [] : ['--answers', join(folder, 'answers.yaml')];
  return inProcess(['check', join(folder, 'activity.json'), ...flags]).ended;
}

it('OP-251: findings of an agreed point are errors, those of a point that differs notices, also in earlier calls', async () => {
  const sandbox = await withMistake();
  expect(await found(sandbox)).toEqual(['["warning",null,null]']);
  ok(await answer(sandbox, { 'OP-16': agreed }));
  expect(await found(sandbox)).toEqual(['["error","agreed","Jane Doe"]']);
  ok(await answer(sandbox, { 'OP-16': differs }));
  expect(await found(sandbox)).toEqual(['["notice","differs","Jane Doe"]']);
  const query = { wait: 60, severity: 'warning' } as const;
  expect(ok(await sandbox.control.GET('/findings', { params: { query } })).items).toEqual([]);
  ok(await answer(sandbox, {}));
  expect(await found(sandbox)).toEqual(['["warning",null,null]']);
});

it('OP-251: check ends with 1 for a violation of an agreed point, and with 0 without the answer or if the point differs', async () => {
  const sandbox = await withMistake();
  const without = await check(sandbox);
  expect([without.code, without.stdout]).toEqual([0, expect.stringContaining('assumed by this sandbox (OP-16)')]);
  const with_ = await check(sandbox, { 'OP-16': agreed });
  expect([with_.code, with_.stdout]).toEqual([1, expect.stringContaining('agreed on 2026-11-28 by Jane Doe (OP-16)')]);
  expect(with_.stdout).toContain('error reply.body.required  at fault: host (client)');
  const other = await check(sandbox, { 'OP-16': differs });
  const words = 'answered otherwise on 2026-11-28 by Jane Doe: Any body is fine. (OP-16)';
  expect([other.code, other.stdout]).toEqual([0, expect.stringContaining(words)]);
  expect(other.stdout).toContain('notice reply.body.required\n');
});

it('OP-251: a settled point sets the settings of its workspace, also after a reset; a later change of the setting counts', async () => {
  const sandbox = await testSandbox();
  const other = await workspaceOf(sandbox);
  const quota = async ({ control }: Pick<TestSandbox, 'control'>) =>
    ok(await control.GET('/workspace')).settings.rate_limit;
  const set = (rate_limit: number) => sandbox.control.PATCH('/workspace', { body: { settings: { rate_limit } } });
  ok(await set(7));
  const settled = { answer: 'settled', ...told, value: { rate_limit: 500 } } as const;
  ok(await answer(sandbox, { 'OP-30': settled }));
  expect([await quota(sandbox), await quota(other)]).toEqual([500, 1000]);
  ok(await sandbox.control.POST('/reset'));
  expect(await quota(sandbox)).toBe(500);
  ok(await set(8));
  expect(await quota(sandbox)).toBe(8);
  expect(ok(await sandbox.control.GET('/open-points/answers'))).toEqual({ answers: { 'OP-30': settled } });
});

it('OP-251: open points show their answer, and can be filtered by it', async () => {
  const sandbox = await testSandbox();
  ok(await answer(sandbox, { 'OP-08': agreed }));
  const list = async (answered: 'yes' | 'no') =>
    ok(await sandbox.control.GET('/open-points', { params: { query: { answered } } })).items;
  expect(await list('yes')).toMatchObject([{ id: 'OP-08', answer: agreed }]);
  expect(await list('no')).toHaveLength(104);
});

it.each([
  ['/answers/OP-250', { 'OP-250': agreed }, 'is not an open point'],
  ['/answers/OP-16', { 'OP-16': { answer: 'differs', ...told } }, 'needs a text that says what applies instead'],
  ['/answers/OP-16/value', { 'OP-16': { ...agreed, value: { a: 1 } } }, 'belongs to the answer settled only'],
  ['/answers/OP-16/answer', { 'OP-16': { answer: 'settled', ...told, value: { a: 1 } } }, 'cannot be settled'],
  ['/answers/OP-30', { 'OP-30': { answer: 'settled', ...told } }, 'needs a value with one of rate_limit'],
  [
    '/answers/OP-30/value/tds_percent',
    { 'OP-30': { answer: 'settled', ...told, value: { tds_percent: 5 } } },
    'is not a setting of OP-30: use rate_limit',
  ],
  [
    '/answers/OP-30/value/rate_limit',
    { 'OP-30': { answer: 'settled', ...told, value: { rate_limit: 'many' } } },
    'must be an integer',
  ],
  [
    '/answers/OP-31/value/allowlist/0',
    { 'OP-31': { answer: 'settled', ...told, value: { allowlist: ['999.0.0.0/8'] } } },
    'must be an address range such as 10.0.0.0/8',
  ],
  ['/answers/OP-16/date', { 'OP-16': { ...agreed, date: 'yesterday' } }, 'must'],
])('OP-251: a mistake at %s is refused, and nothing changes', async (where, answers, problem) => {
  const sandbox = await testSandbox();
  ok(await answer(sandbox, { 'OP-08': agreed }));
  const { response, error } = await answer(sandbox, answers as Record<string, Answer>);
  expect(response.status).toBe(400);
  expect(error?.message).toContain(`${where} ${problem}`);
  expect(ok(await sandbox.control.GET('/open-points/answers'))).toEqual({ answers: { 'OP-08': agreed } });
});
