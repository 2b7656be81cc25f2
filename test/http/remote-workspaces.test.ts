/** Calls to workspaces that another instance may serve: lookups of an unknown id, and the tenant that a call counts for (OP-83, OP-207). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { setOrigin } from '../../sandbox/contract/api.ts';
import { RemoteWorkspaces, type WorkspaceRef } from '../../sandbox/http/remote-workspaces.ts';
import { httpServer } from '../harness/http-server.ts';

const remoteId = 'ws_0000000000000001';

/** Another instance that serves the demo workspace and one more, with the lookups in PostgreSQL. */
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
    home: { refusal: () => ({ status: 503, body: '', headers: {} }), newTrace: () => '' } as never,
    serveIn: () => Promise.reject(new Error('nothing is served here')),
    warn: (message) => lookups.push(message),
  });
  let to: WorkspaceRef = { id: 'demo' };
  const url = await httpServer((request: IncomingMessage, response: ServerResponse) => {
    setOrigin(request, { kind: 'machine', addresses: [], exempt: false });
    void remote.serve(to, { request, response }, { end: () => {} });
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
  expect(lookups.filter((each) => each !== 'owner demo')).toEqual([
    'owner ws_00000000000000ff',
    'find ws_00000000000000ff',
  ]);
});

it('OP-83: credentials that match no workspace share one tenant, however many there are', async () => {
  const { remote, call } = await otherInstance();
  const share = (to: WorkspaceRef) => remote.shareOf(to);
  expect([share({ id: 'ws_00000000000000ff' }), share({ digest: 'abc' })]).toEqual(['anonymous', 'anonymous']);
  await call({ id: 'ws_00000000000000ff' });
  expect(share({ id: 'ws_00000000000000ff' })).toBe('anonymous');
  expect(share({ id: 'demo' })).toBe('demo');
  // The first call of a partner counts as anonymous.
  expect([share({ id: remoteId }), await call({ id: remoteId }), share({ id: remoteId })]).toEqual([
    'anonymous',
    200,
    remoteId,
  ]);
});
