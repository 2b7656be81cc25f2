/**
 * Tests calls to workspaces that another instance may serve: lookups of unknown ids, and the tenant that a call is
 * charged to (OP-83, OP-207).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { RemoteWorkspaces, type WorkspaceRef } from '../../sandbox/cluster/remote-workspaces.ts';
import type { CallOrigin } from '../../sandbox/contract/api.ts';
import { Tokens } from '../../sandbox/runtime/tokens.ts';
import { httpServer } from '../harness/http-server.ts';

const remoteId = 'ws_0000000000000001';

/** Simulates another instance that serves the demo workspace and one more, with lookups as in PostgreSQL. */
async function otherInstance() {
  const lookups: string[] = [];
  const unknown = new Set<string>();
  const remote = new RemoteWorkspaces({
    workspaces: { get: () => undefined } as never,
    placement: {
      address: 'here',
      wasUnknown: (id: string) => unknown.has(id),
      ownerOf: async (id: string) => {
        lookups.push(`owner ${id}`);
        return id === 'demo' || id === remoteId ? 'there' : undefined;
      },
      find: async (id: string) => {
        lookups.push(`find ${id}`);
        unknown.add(id);
        return undefined;
      },
      forget: (id: string) => void lookups.push(`forget ${id}`),
    } as never,
    forwarder: {
      forward: async (_: string, { workspace }: { workspace: string }, { response }: { response: ServerResponse }) => {
        response.writeHead(workspace === 'demo' ? 401 : 200).end();
        return 'answered';
      },
    } as never,
    home: {} as never,
    enter: () => expect.fail('nothing enters here'),
    enterAsNobody: () => expect.fail('nothing enters here'),
    refuse: ({ res }) => void res.writeHead(503).end(),
    warn: (message) => lookups.push(message),
  });
  let to: WorkspaceRef = { id: 'demo' };
  const url = await httpServer((request: IncomingMessage, response: ServerResponse) => {
    const origin = { kind: 'machine', addresses: [], exempt: false } as const;
    void remote.enter(to, { req: request, res: response, state: { origin } });
  });
  const call = async (ref: WorkspaceRef) => {
    to = ref;
    return (await fetch(url)).status;
  };
  return { remote, lookups, call };
}

it('OP-207: an unknown workspace id is looked up once, and the location of the demo workspace stays cached', async () => {
  const { lookups, call } = await otherInstance();
  const statuses: number[] = [];
  for (let calls = 0; calls < 5; calls += 1) statuses.push(await call({ id: 'ws_00000000000000ff' }));
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  const own = lookups.filter((each) => each !== 'owner demo');
  expect(own).toEqual(['owner ws_00000000000000ff', 'find ws_00000000000000ff']);
});

it('OP-83: credentials that match no workspace have no share of their own, however many there are', async () => {
  const { remote, call } = await otherInstance();
  const share = (to: WorkspaceRef) => remote.shareOf(to);
  expect([share({ id: 'ws_00000000000000ff' }), share({ digest: 'abc' })]).toEqual([undefined, undefined]);
  await call({ id: 'ws_00000000000000ff' });
  expect(share({ id: 'ws_00000000000000ff' })).toBe(undefined);
  expect(share({ id: 'demo' })).toBe('demo');
  // A partner's first call counts as anonymous.
  const partner = { id: remoteId };
  expect([share(partner), await call(partner), share(partner)]).toEqual([undefined, 200, remoteId]);
});

it('OP-83: a token counts for its workspace after it led there once, and no other token with that id', async () => {
  const { remote, call } = await otherInstance();
  const [signed, other] = [
    { id: remoteId, token: 'a.b.c' },
    { id: remoteId, token: 'a.b.d' },
  ];
  expect([remote.shareOf(signed), await call(signed)]).toEqual([undefined, 200]);
  expect([remote.shareOf(signed), remote.shareOf(other)]).toEqual([remoteId, undefined]);
  const refused = { id: 'demo', token: 'a.b.e' };
  expect([await call(refused), remote.shareOf(refused)]).toEqual([401, undefined]);
});

it('OP-63: an instance serves a forwarded call with a token in its workspace only if the workspace signed it', async () => {
  const key = new Uint8Array(32).fill(7);
  const tokens = new Tokens({ issuer: 'i', audience: 'a', workspace: remoteId }, key, () => 0);
  const token = await tokens.sign('ANN', 'j', 60);
  const home = { name: 'home' };
  const servedIn = async (sent: string, isReachedByOthers: boolean) => {
    const entered: unknown[] = [];
    const remote = new RemoteWorkspaces({
      workspaces: {
        get: () => ({ use: (run: (workspace: unknown) => unknown) => run({ identity: () => ({ tokenKeys: [key] }) }) }),
      } as never,
      placement: {} as never,
      forwarder: {} as never,
      home: home as never,
      enter: (workspace) => void entered.push(workspace === (home as never) ? 'home' : 'the workspace'),
      enterAsNobody: () => void entered.push('nobody'),
      refuse: () => void entered.push('refused'),
      isReachedByOthers,
      warn: () => {},
    });
    const origin: CallOrigin = { kind: 'network', addresses: [], exempt: false, token: sent };
    await remote.enterForwarded(remoteId, { req: {}, res: {}, state: { origin } } as never);
    return entered;
  };
  expect(await servedIn(token, true)).toEqual(['the workspace']);
  expect(await servedIn(`${token.slice(0, -4)}AAAA`, true)).toEqual(['nobody']);
  expect(await servedIn(`${token.slice(0, -4)}AAAA`, false)).toEqual(['home']);
});
