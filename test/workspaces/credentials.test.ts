/** Tests finding a credential's workspace, and caching tokens (OP-63). */
import { expect, test } from 'vitest';
import { digest, Tokens } from '../../sandbox/runtime/tokens.ts';
import type { WorkspaceHandle } from '../../sandbox/workspaces/workspace-handle.ts';
import { WorkspaceIndex } from '../../sandbox/workspaces/workspace-index.ts';

const key = new Uint8Array(32).fill(7);
const idOf = (name: string) => `ws_000000000000000${name}`;
const tokenOf = (name: string, jti = 'j') =>
  new Tokens({ issuer: 'i', audience: 'a', workspace: idOf(name) }, key, () => 0).sign('ANN', jti, 60);
const handleOf = (name: string) => ({ id: idOf(name) }) as WorkspaceHandle;
const identityOf = (name: string, tokenKeys = [key]) => ({
  digests: { secrets: [digest(`secret ${name}`)], ownCalls: digest(`own calls ${name}`) },
  tokenKeys,
});

/** Creates an index of these workspaces. Also returns a function that finds the workspace of a token. */
function indexOf(...names: string[]) {
  const index = new WorkspaceIndex();
  for (const name of names) index.register(handleOf(name), identityOf(name));
  const find = (authorization: string) => index.findByHeaders({ headers: { authorization } })?.id;
  return { index, find };
}

test('OP-63: a cached token finds nothing once its workspace is removed, and finds a later workspace of that name', async () => {
  const { index, find } = indexOf('b');
  const [gone, later] = [handleOf('a'), handleOf('a')];
  index.register(gone, identityOf('a'));
  const [token, other] = [await tokenOf('a'), await tokenOf('b')];
  expect([find(token), find(`Bearer ${token}`), find(`bearer  ${other}`)]).toEqual([idOf('a'), idOf('a'), idOf('b')]);
  expect(index.cachedTokens).toBe(2);
  index.unregister(gone);
  expect([find(token), find(other)]).toEqual([undefined, idOf('b')]);
  index.register(later, identityOf('a'));
  expect(index.findByCredential(token)).toBe(later);
});

test('OP-63: a token finds a workspace that is added after the first use of the token', async () => {
  const { index, find } = indexOf('a');
  const token = await tokenOf('b');
  expect(find(token)).toBeUndefined();
  index.register(handleOf('b'), identityOf('b'));
  expect(find(token)).toBe(idOf('b'));
});

test('OP-63: a token that its workspace did not sign leads nowhere', async () => {
  const { index, find } = indexOf('a');
  index.register(handleOf('b'), identityOf('b', [new Uint8Array(32).fill(8), key.map(() => 9)]));
  const [token, other] = [await tokenOf('a'), await tokenOf('b')];
  const [head, claims, signature = ''] = token.split('.');
  const forged = [other, `${head}.${claims}.`, `${head}.${claims}.c2lnbmF0dXJl`, `${head}.x${claims}.${signature}`];
  for (const each of forged) expect(find(each)).toBeUndefined();
  expect([index.cachedTokens, find(token)]).toEqual([0, idOf('a')]);
});

test('secrets, malformed tokens and long tokens are not cached', async () => {
  const { index } = indexOf('a');
  const long = await tokenOf('a', 'j'.repeat(1024));
  for (const credential of ['secret a', long]) expect(index.findByCredential(credential)?.id).toBe(idOf('a'));
  for (const nothing of ['', 'a', '..', 'a.b.c']) expect(index.findByCredential(nothing)).toBeUndefined();
  expect(index.cachedTokens).toBe(0);
});

test('the newest thousand tokens are cached, and every other token still finds its workspace', async () => {
  const { index, find } = indexOf('a');
  const tokens = await Promise.all(Array.from({ length: 1200 }, (_, number) => tokenOf('a', `j${number}`)));
  for (const token of [...tokens, ...tokens]) {
    expect(find(token)).toBe(idOf('a'));
    expect(index.cachedTokens).toBeLessThanOrEqual(1000);
  }
  expect(index.cachedTokens).toBe(1000);
});
