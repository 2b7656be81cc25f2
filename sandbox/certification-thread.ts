/** A certification that a workspace asked for, in a thread of its own. Started by `CertificationThreads`. */
import type { LookupAddress } from 'node:dns';
import { parentPort, workerData } from 'node:worker_threads';
import { EnvironmentError } from './conformance/certification/environment.ts';
import type { ThreadSays, ThreadTask, ThreadTold } from './conformance/certification/threads.ts';
import { refusalOf } from './runtime/address.ts';
import { type Connector, guarded, RefusedAddress, type Resolve, toItself } from './runtime/connecting.ts';
import { type CertifyOptions, certify } from './sandbox.ts';

if (parentPort === null) throw new Error('this runs as a thread of the sandbox only');
const port = parentPort;
const { input, allowed, own, origin, certificate } = workerData as ThreadTask;
/** Longest that a connection takes to be made, in milliseconds. */
const timeout = 5000;
const ending = new AbortController();
const lookups = new Map<number, PromiseWithResolvers<readonly LookupAddress[]>>();
let asked = 0;
let called = false;

const say = (said: ThreadSays) => port.postMessage(said);

/** Names are resolved by the sandbox, which may have a resolver of its own. */
const resolve: Resolve = (name) => {
  asked += 1;
  const lookup = Promise.withResolvers<readonly LookupAddress[]>();
  lookups.set(asked, lookup);
  say({ kind: 'resolve', id: asked, name });
  return lookup.promise;
};

port.on('message', (told: ThreadTold) => {
  if (told.kind === 'end') {
    ending.abort();
    return;
  }
  const lookup = lookups.get(told.id);
  lookups.delete(told.id);
  if (told.kind === 'resolved') lookup?.resolve(told.found);
  else lookup?.reject(Object.assign(new Error(told.problem), { code: told.code }));
});

const places = { port: () => own.port, proxyPort: own.proxyPort, addresses: () => own.addresses };
const outward = guarded({ allowed, resolve, timeout, own: places });
const inward = toItself(() => origin, timeout, certificate);
/** The sandbox itself by its own address, all else as the sandbox may call it. */
const connect: Connector = (target, done) => {
  if (!called) say({ kind: 'called' });
  called = true;
  const { protocol, host, hostname } = target;
  return `${protocol}//${host ?? hostname}` === origin ? inward(target, done) : outward(target, done);
};

/** For the journeys: their platform may call the addresses of the server, so none of these may be inward. */
const checked: Resolve = async (name) => {
  const { protocol } = new URL(input.client_url);
  const found = await resolve(name);
  const refusal = found.map(({ address }) => refusalOf(address, protocol, allowed)).find((text) => text !== undefined);
  if (refusal !== undefined) throw new RefusedAddress(`${name}: ${refusal}`);
  return found;
};

const onProgress: CertifyOptions['onProgress'] = (verdict, at) => say({ kind: 'judged', verdict, ...at });

try {
  const report = await certify({ ...input, onProgress, signal: ending.signal }, { connect, resolve: checked });
  say({ kind: 'ended', report });
} catch (error) {
  // What else goes wrong ends the thread, and is told.
  if (!(error instanceof EnvironmentError)) throw error;
  say({ kind: 'refused', problem: error.message });
}
