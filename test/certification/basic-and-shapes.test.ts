/** Tests the requirements on Basic credentials and on reply formats. */
import { expect, it } from 'vitest';
import { certifyServer, idsOf, partner, verdicts } from './judged.ts';
import { startReference } from './reference.ts';

it('the reference client meets every requirement about Basic credentials and shapes', async () => {
  const groups = ['basic', 'shapes'];
  const report = await (await startReference())({ only: groups });
  for (const group of groups)
    expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
  expect(report.balances).toBe('restored');
});

it('a code request refused for another reason, such as a limit, gives no verdict about credentials', async () => {
  const server = await partner({ mostOtps: 0 });
  const report = await certifyServer(server, { only: ['BAS-05'] });
  expect(verdicts(report, 'basic')).toMatchObject({ 'BAS-05': 'blocked' });
});

it('no report contains the password, not even in Base64', async () => {
  const server = await partner({ mistake: 'any-username' });
  const text = JSON.stringify(await certifyServer(server, { only: ['basic'] }));
  const encoded = [...text.matchAll(/Basic ([A-Za-z0-9+/=]{8,})/g)].map(([, base64 = '']) =>
    Buffer.from(base64, 'base64'),
  );
  for (const output of [text, ...encoded.map(String)]) expect(output).not.toContain(server.settings.basic.password);
  expect(text).toContain('$CREDENTIALS_OF_ANOTHER_USER');
});

it('OP-16, OP-102: an empty object from creditPoints fails no mandatory requirement', async () => {
  const report = await certifyServer(await partner({ mistake: 'credit-done-empty' }), { only: ['shapes', 'CRD-01'] });
  expect(report.verdicts.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
    { id: 'SHP-08', level: 'should' },
  ]);
});

it('the envelope of a refusal with another status is not checked', async () => {
  const report = await certifyServer(await partner({ mistake: 'token-401' }), { only: ['shapes'] });
  expect(verdicts(report, 'shapes')).toMatchObject({
    'SHP-09': 'blocked',
    'SHP-10': 'not_applicable',
    'SHP-20': 'not_applicable',
  });
});
