/** Tests that the reference client meets the requirements on Basic credentials. */
import { expect, it } from 'vitest';
import { certifyServer, idsOf, partner, verdicts } from './judged.ts';
import { startReference } from './reference.ts';

const group = 'basic';

it('the reference client meets every requirement about Basic credentials', async () => {
  const report = await (await startReference())({ only: [group] });
  expect(verdicts(report, group)).toEqual(Object.fromEntries(idsOf(group).map((id) => [id, 'pass'])));
});

it('a code request refused for another reason, such as a limit, gives no verdict about credentials', async () => {
  const server = await partner({ mostOtps: 0 });
  const report = await certifyServer(server, { only: ['BAS-05'] });
  expect(verdicts(report, group)).toMatchObject({ 'BAS-05': 'blocked' });
});

it('no report contains the password, not even in Base64', async () => {
  const server = await partner({ mistake: 'any-username' });
  const text = JSON.stringify(await certifyServer(server, { only: [group] }));
  const encoded = [...text.matchAll(/Basic ([A-Za-z0-9+/=]{8,})/g)].map(([, base64 = '']) =>
    Buffer.from(base64, 'base64'),
  );
  for (const output of [text, ...encoded.map(String)]) expect(output).not.toContain(server.settings.basic.password);
  expect(text).toContain('$CREDENTIALS_OF_ANOTHER_USER');
});
