/** Tests finding a credential's workspace, and caching tokens (OP-63). */
import { expect, test } from 'vitest';
import { digest, Tokens } from '../../sandbox/runtime/tokens.ts';
import { Credentials } from '../../sandbox/workspaces/credentials.ts';

const key = new Uint8Array(32).fill(7);
const idOf = (name: string) => `ws_000000000000000${name}`;
const tokenOf = (name: string, jti = 'j') =>
  new Tokens({ issuer: 'i', audience: 'a', workspace: idOf(name) }, key, () => 0).sign('ANN', jti, 60);

const digestsIn = (secrets: readonly string[], ownCalls: string) => ({
  secrets: secrets.map(digest),
  ownCalls: digest(ownCalls),
});

function credentialsOf(...names: string[]) {
  const credentials = new Credentials<string>();
  for (const name of names)
    credentials.add(`workspace ${name}`, idOf(name), digestsIn([`secret ${name}`], `own calls ${name}`), [key]);
  return credentials;
}

test('OP-63: a token identifies the workspace that it names, bare or as Bearer, the first time and every other', async () => {
  const credentials = credentialsOf('a', 'b');
  for (const name of ['a', 'b']) {
    const token = await tokenOf(name);
    for (const authorization of [token, `Bearer ${token}`, `bearer  ${token}`, token]) {
      expect(credentials.findByHeaders({ authorization })).toBe(`workspace ${name}`);
    }
    expect(credentials.findByCredential(token)).toBe(`workspace ${name}`);
  }
  expect(credentials.remembered).toBe(2);
});

test('OP-63: a cached token finds nothing once its workspace is removed, and finds a later workspace of that name', async () => {
  const credentials = credentialsOf('a', 'b');
  const [token, other] = [await tokenOf('a'), await tokenOf('b')];
  credentials.findByHeaders({ authorization: token });
  credentials.findByHeaders({ authorization: other });
  credentials.remove('workspace a');
  expect(credentials.findByHeaders({ authorization: token })).toBeUndefined();
  expect(credentials.findByHeaders({ authorization: other })).toBe('workspace b');
  credentials.add('another', idOf('a'), digestsIn([], 'calls'), [key]);
  expect(credentials.findByHeaders({ authorization: token })).toBe('another');
});

test('OP-63: a token finds a workspace that is added after the first use of the token', async () => {
  const credentials = credentialsOf('a');
  const token = await tokenOf('b');
  expect(credentials.findByHeaders({ authorization: token })).toBeUndefined();
  credentials.add('workspace b', idOf('b'), digestsIn([], 'calls'), [key]);
  expect(credentials.findByHeaders({ authorization: token })).toBe('workspace b');
});

test('OP-63: a token that its workspace did not sign leads nowhere', async () => {
  const credentials = credentialsOf('a');
  credentials.add('workspace b', idOf('b'), digestsIn([], 'calls'), [new Uint8Array(32).fill(8), key.map(() => 9)]);
  const [token, other] = [await tokenOf('a'), await tokenOf('b')];
  const [head, claims, signature = ''] = token.split('.');
  const forged = [other, `${head}.${claims}.`, `${head}.${claims}.c2lnbmF0dXJl`, `${head}.x${claims}.${signature}`];
  for (const each of forged) expect(credentials.findByCredential(each)).toBeUndefined();
  expect([credentials.remembered, credentials.findByCredential(token)]).toEqual([0, 'workspace a']);
});

test('secrets, malformed tokens and long tokens are not cached', async () => {
  const credentials = credentialsOf('a');
  expect(credentials.findByCredential('secret a')).toBe('workspace a');
  const long = await tokenOf('a', 'j'.repeat(1024));
  expect(credentials.findByCredential(long)).toBe('workspace a');
  for (const nothing of ['', 'a', '..', 'a.b.c']) expect(credentials.findByCredential(nothing)).toBeUndefined();
  expect(credentials.remembered).toBe(0);
});

test('the newest thousand tokens are cached, and every other token still finds its workspace', async () => {
  const credentials = credentialsOf('a');
  const tokens = await Promise.all(Array.from({ length: 1200 }, (_, index) => tokenOf('a', `j${index}`)));
  for (const token of [...tokens, ...tokens]) {
    expect(credentials.findByCredential(token)).toBe('workspace a');
    expect(credentials.remembered).toBeLessThanOrEqual(1000);
  }
});
