/** Calls whose workspace another instance may have: what an unknown one costs, and whose share of the places it takes (OP-83, OP-207). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { setOrigin } from '../../sandbox/contract/api.ts';
import { RemoteWorkspaces, type WorkspaceRef } from '../../sandbox/http/remote-workspaces.ts';
import { httpServer } from '../harness/http-server.ts';

const known = 'ws_0000000000000001';

/** Calls that another instance serves, which has the demo workspace and one more, with what they ask PostgreSQL. */
async function beside() {
  const asked: string[] = [];
  const unknown = new Set<string>();
  const remote = new RemoteWorkspaces({
    workspaces: { get: () => undefined } as never,
    placement: {
      address: 'here',
      wasUnknown: (id: string) => unknown.has(id),
      ownerOf: async (id: string) => {
        asked.push(`owner ${id}`);
        return id === 'demo' || id === known ? 'there' : undefined;
      },
      find: async (id: string) => {
        asked.push(`find ${id}`);
        unknown.add(id);
        return undefined;
      },
      forget: (id: string) => void asked.push(`forget ${id}`),
    } as never,
    forwarder: {
      forward: async (_: string, { workspace }: { workspace: string }, { response }: { response: ServerResponse }) => {
        response.writeHead(workspace === 'demo' ? 401 : 200).end();
        return 'answered';
      },
    } as never,
    home: { refusal: () => ({ status: 503, body: '', headers: {} }), newTrace: () => '' } as never,
    serveIn: () => Promise.reject(new Error('nothing is served here')),
    warn: (message) => asked.push(message),
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
  return { remote, asked, call };
}

it('OP-207: an id of no workspace is looked up once, and where the demo workspace is stays known', async () => {
  const { asked, call } = await beside();
  const statuses: number[] = [];
  for (let calls = 0; calls < 5; calls += 1) statuses.push(await call({ id: 'ws_00000000000000ff' }));
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  expect(asked.filter((each) => each !== 'owner demo')).toEqual([
    'owner ws_00000000000000ff',
    'find ws_00000000000000ff',
  ]);
});

it('OP-83: credentials that have led to no workspace share the places of one caller, however many there are', async () => {
  const { remote, call } = await beside();
  const share = (to: WorkspaceRef) => remote.shareOf(to);
  expect([share({ id: 'ws_00000000000000ff' }), share({ digest: 'abc' })]).toEqual(['anonymous', 'anonymous']);
  await call({ id: 'ws_00000000000000ff' });
  expect(share({ id: 'ws_00000000000000ff' })).toBe('anonymous');
  expect(share({ id: 'demo' })).toBe('demo');
  // The first call of a partner counts as anonymous.
  expect([share({ id: known }), await call({ id: known }), share({ id: known })]).toEqual(['anonymous', 200, known]);
});
