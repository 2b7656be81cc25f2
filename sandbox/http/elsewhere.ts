import type { IncomingMessage } from 'node:http';
import { originOf } from '../contract/api.ts';
import { arriveWhole, takeWhole } from '../contract/repeat.ts';
import { bodyLimit } from '../contract/request.ts';
import { digest } from '../runtime/secrets.ts';
import { OwnedElsewhere } from '../store/store.ts';
import { namedBy } from '../workspaces/credentials.ts';
import type { Placement } from '../workspaces/placement.ts';
import type { Workspaces } from '../workspaces/registry.ts';
import { NoRoom } from '../workspaces/room.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { Gone, type WorkspaceHandle } from '../workspaces/workspace-handle.ts';
import type { AdmittedCall } from './concurrency-limit.ts';
import type { Exchange } from './connections.ts';
import type { Forwarder } from './forwarder.ts';
import { turnAway } from './refusals.ts';
import { type ServeIn, serveNobodys } from './serving.ts';

/** How often it is looked again where a workspace is, for one call. */
const mostTries = 4;
/** Most ids and secrets of which it is remembered whose share of the places a call takes. */
const mostRecognised = 10_000;
/** The share of all callers whose credential has led to no workspace, so that they take no places of a workspace's. */
export const strangers = 'strangers';
const nowhere = 'no instance can currently serve the workspace';

interface ElsewhereOptions {
  readonly workspaces: Workspaces;
  readonly placement: Placement;
  readonly forwarder: Forwarder;
  /** Says what is refused, and serves what is nobody's. */
  readonly home: Workspace;
  readonly serveIn: ServeIn;
  readonly warn: (message: string) => void;
}

/** A workspace by its id, by the digest of a secret, or by that of the key in an address. */
export type Whose = { readonly id: string } | { readonly digest: string } | { readonly key: string };

/** Whose a call is that carries this credential, as far as that can be told at once. */
export function whoseIs(credential: string | undefined): Whose {
  if (credential === undefined) return { id: 'demo' };
  const id = namedBy(credential);
  return id === undefined ? { digest: digest(credential) } : { id };
}

/** Which workspace served a call; `nobody` if its address belongs to none, `nowhere` if no instance could serve it. */
type Served = { readonly by: string } | 'nobody' | 'nowhere';

function keyOf(to: Whose): string {
  if ('id' in to) return to.id;
  return 'key' in to ? to.key : to.digest;
}

/** Serves calls whose workspace this process does not have: hands them on, or takes the workspace (OP-207). */
export class Elsewhere {
  readonly #options: ElsewhereOptions;
  #lastTold = '';
  /** The workspaces that ids and secrets led to. It decides shares only, so nobody is told when one is gone. */
  readonly #recognised = new Map<string, string>();

  constructor(options: ElsewhereOptions) {
    this.#options = options;
  }

  /**
   * Whose share of the places a call takes (OP-83). Until it has led to a workspace once, a credential shares the places of
   * all strangers, so that no caller gets more of them with made-up credentials.
   */
  shareOf(to: Whose): string {
    const key = keyOf(to);
    return key === 'demo' ? key : (this.#recognised.get(key) ?? strangers);
  }

  /**
   * Serves a call to a workspace wherever it is: 503 where that cannot be found out, or nobody can be reached. Nothing is
   * handed on twice that may have been carried out.
   *
   * @param body the whole body, where it was read already
   */
  async serve(to: Whose, call: Exchange, admitted: AdmittedCall, body?: Buffer): Promise<void> {
    const { home, serveIn } = this.#options;
    const { response } = call;
    const whole = body ?? (await takeWhole(call.request));
    // Who broke off has no reply to wait for, and what came of the call is not all that was meant.
    if (response.closed || isBrokenOff(call.request, whole)) return;
    const request = body === undefined ? arriveWhole(call.request, whole) : call.request;
    try {
      const id = await this.#idOf(to);
      const served = id === undefined ? 'nobody' : await this.#served(id, { request, response, body: whole }, admitted);
      if (served !== 'nowhere') {
        this.#lastTold = '';
        if (served === 'nobody') return await serveNobodys(home, serveIn, { request, response });
        if (served.by === id && (id !== 'demo' || 'id' in to)) this.#recognise(keyOf(to), id);
        return;
      }
    } catch (error) {
      if (!(error instanceof NoRoom)) this.#tell((error as Error).message);
    }
    if (!response.headersSent) turnAway(request, response, home, nowhere);
  }

  /** Undefined where the key of an address is no workspace's; what else is nobody's is the demo workspace's to refuse. */
  async #idOf(to: Whose): Promise<string | undefined> {
    if ('id' in to) return to.id;
    const { placement } = this.#options;
    return 'key' in to ? placement.whose(to.key) : ((await placement.whose(to.digest)) ?? 'demo');
  }

  /** Says why calls cannot be served, once for all of them in a row. */
  #tell(why: string): void {
    if (why === this.#lastTold) return;
    this.#lastTold = why;
    this.#options.warn(`Refusing calls that may belong to another instance: ${why}`);
  }

  #recognise(key: string, id: string): void {
    this.#recognised.set(key, id);
    const [oldest = ''] = this.#recognised.keys();
    if (this.#recognised.size > mostRecognised) this.#recognised.delete(oldest);
  }

  /** Resolves with the workspace that served the call. */
  async #served(first: string, call: Exchange & { readonly body: Buffer }, admitted: AdmittedCall): Promise<Served> {
    const { placement, forwarder } = this.#options;
    const isByAddress = originOf(call.request).addressKey !== undefined;
    if (isByAddress && placement.wasUnknown(first)) return 'nobody';
    let id = placement.wasUnknown(first) ? 'demo' : first;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const owner = await this.#otherOwnerOf(id);
      if (owner === undefined) {
        const how = await this.#servedHere(id, call);
        if (how === 'served') return { by: id };
        // What names a workspace that does not exist belongs to nobody.
        if (how === 'unknown' && isByAddress) return 'nobody';
        if (how === 'unknown') id = 'demo';
        else placement.forget(id);
        continue;
      }
      const how = await forwarder.handOn(owner, { workspace: id, origin: originOf(call.request) }, call, admitted.end);
      if (how !== 'not here') return how === 'answered' ? { by: id } : 'nowhere';
      placement.forget(id);
    }
    return 'nowhere';
  }

  /** Another instance that has a workspace; undefined where this one has it, or nobody does. */
  async #otherOwnerOf(id: string): Promise<string | undefined> {
    if (this.#here(id) !== undefined) return undefined;
    const { placement } = this.#options;
    const owner = await placement.ownerOf(id);
    return owner === placement.address ? undefined : owner;
  }

  /** Where this process has it and can write it. */
  #here(id: string): WorkspaceHandle | undefined {
    const { workspaces } = this.#options;
    const here = workspaces.get(id);
    if (here?.running?.gaveUp !== true) return here;
    workspaces.discard(here);
    return undefined;
  }

  /** Serves a call here, with the workspace taken where nobody has it. Only where somebody else was quicker, it does not. */
  async #servedHere(id: string, { request, response }: Exchange): Promise<'served' | 'unknown' | 'elsewhere'> {
    const { placement, serveIn } = this.#options;
    const here = this.#here(id) ?? (await placement.find(id));
    if (here === undefined) return 'unknown';
    let isBack = false;
    try {
      const known = 'use' in here ? here : await this.#options.workspaces.adopt(here);
      await known.use((workspace) => {
        isBack = true;
        return serveIn(workspace, request, response);
      });
      return 'served';
    } catch (error) {
      if (!isBack && (error instanceof OwnedElsewhere || error instanceof Gone)) return 'elsewhere';
      throw error;
    }
  }

  /** Serves a call that another instance handed on; resolves with whether it could. It is never handed on again. */
  async serveHanded(id: string, call: Exchange): Promise<boolean> {
    for (let tries = 0; tries < 2; tries += 1) {
      if ((await this.#servedHere(id, call)) === 'served') return true;
    }
    return false;
  }
}

/** Whether a caller left before all of the body had come; of one that is too large no more is read. */
function isBrokenOff({ complete, headers }: IncomingMessage, { length }: Buffer): boolean {
  if (length > bodyLimit) return false;
  return !complete || Number(headers['content-length'] ?? 0) > length;
}
