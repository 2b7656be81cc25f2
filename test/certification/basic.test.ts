/** The requirements about Basic credentials: a right server holds them, and each mistake fails those that are about it. */
import { expect, it } from 'vitest';
import { caughtIn } from './caught/caught.ts';
import { failed, idsOf, judged, partner, verdicts } from './judged.ts';
import { startedReference } from './reference.ts';

const group = 'basic';

it('the reference client holds every requirement about Basic credentials', async () => {
  const report = await (await startedReference())({ only: [group] });
  expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
});

it.each(caughtIn('BAS'))(
  'a server with the mistake %s fails %j and no others about Basic credentials',
  async (mistake, ids) => {
    const report = await judged(await partner({ mistake }), { only: [group] });
    expect(failed(report)).toEqual(ids);
    expect(report.counts.suite_error).toBe(0);
  },
);

it('a code that is refused for another reason, such as too many of them, says nothing about credentials', async () => {
  const server = await partner({ mostOtps: 0 });
  const report = await judged(server, { only: ['BAS-05'] });
  expect(verdicts(report, group)).toMatchObject({ 'BAS-05': 'blocked' });
});

it('no report has the password, in Base64 neither', async () => {
  const server = await partner({ mistake: 'any-username' });
  const text = JSON.stringify(await judged(server, { only: [group] }));
  const encoded = [...text.matchAll(/Basic ([A-Za-z0-9+/=]{8,})/g)].map(([, base64 = '']) =>
    Buffer.from(base64, 'base64'),
  );
  for (const shown of [text, ...encoded.map(String)]) expect(shown).not.toContain(server.settings.basic.password);
  expect(text).toContain('$CREDENTIALS_OF_ANOTHER_USER');
});
