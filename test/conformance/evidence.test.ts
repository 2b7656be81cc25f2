/** Tests `check --open-points` and `--draft-answers`: evidence on the open points in recorded traffic (OP-256). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Answers } from '../../sandbox/conformance/answers.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { choices, recordingWith } from './choices.ts';
import { golden } from './statements/golden.ts';
import { type Call, harOf } from './statements/recording.ts';

/** Checks a recording, then checks it again with the answers drafted from the first check. */
async function checked(calls: readonly Call[]) {
  const folder = await temporaryFolder();
  const [capture, draft] = [join(folder, 'staging.har'), join(folder, 'draft.yaml')];
  await writeFile(capture, harOf(calls));
  const flags = ['check', capture, '--complete'];
  const first = await inProcess([...flags, '--open-points', '--draft-answers', draft]).ended;
  const { answers } = parse(await readFile(draft, 'utf8')) as Answers;
  const again = await inProcess([...flags, '--answers', draft, '--fail-on', 'warning']).ended;
  const table = first.stdout.slice(first.stdout.indexOf('Open points:')).split('\n');
  return { first, table, answers, again };
}

it('names each point that a recording contradicts, and none besides; with the draft of answers nothing fails', async () => {
  const { first, table, answers, again } = await checked(recordingWith(Object.keys(choices)));
  const expected = Object.values(choices).flatMap((ids) => ids.split(' '));
  expect(expected.length).toBeGreaterThanOrEqual(12);
  const differing = Object.entries(answers).filter(([, { answer }]) => answer === 'differs');
  expect(differing.map(([id]) => id)).toEqual(
    expected.toSorted((one, other) => Number(one.slice(3)) - Number(other.slice(3))),
  );
  expect(table[0]).toBe(`Open points: 37 seen, ${expected.length} of them contradicted`);
  expect(table).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^OP-05 {3}2 {10}5 {13}Placing an order$/),
      'OP-02: POST /rewards/v1/company/auth -> 200: /body/token: is required; found nothing',
      expect.stringMatching(/^Not seen: OP-01, OP-03, /),
    ]),
  );
  expect(answers['OP-101']).toEqual({
    answer: 'differs',
    by: 'unconfirmed, from staging.har',
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    text: '1 of 1 calls contradict the assumption, such as POST /client/creditPoints -> 401: /status: 422, because the token is invalid; found 401',
  });
  expect([first.code, again.code, again.stderr]).toEqual([0, 0, '']);
});

it('a recording of the sandbox contradicts nothing: all that it shows is drafted as agreed', async () => {
  const { table, answers, again } = await checked(golden());
  expect(table[0]).toMatch(/^Open points: \d\d seen, 0 of them contradicted$/);
  expect(new Set(Object.values(answers).map(({ answer }) => answer))).toEqual(new Set(['agreed']));
  expect([again.code, again.stderr]).toEqual([0, '']);
});

it('says in one line that the draft cannot be written', async () => {
  const capture = join(await temporaryFolder(), 'calls.har');
  await writeFile(capture, harOf(golden()));
  const { code, stderr } = await inProcess(['check', capture, '--draft-answers', join(capture, 'draft.yaml')]).ended;
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^Cannot continue: ENOTDIR.*\n$/)]);
});
