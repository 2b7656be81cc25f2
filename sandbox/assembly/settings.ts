import { createHmac, createSecretKey } from 'node:crypto';
import type { components } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import { workspacePath } from '../apis/registry.ts';
import type { Project } from '../client/profiles.ts';
import { type Answers, answersProblems, noAnswers, settledSettings } from '../conformance/answers.ts';
import { invalid, type Refused } from '../domain/failures.ts';
import type { ClientAddress } from '../platform/client-gateway.ts';
import { isRange } from '../runtime/caller.ts';
import type { ClockState } from '../runtime/clock.ts';
import type { StreamPlace } from '../runtime/ids.ts';
import { defaultSettings, type Settings, settingsBeyondLoopback } from '../runtime/settings.ts';
import type { Store } from '../store/store.ts';
import type { Meta, WorkspaceCollections } from './collections.ts';

type PublicWorkspace = components['schemas']['Workspace'];
type SettingsChange = components['schemas']['SettingsChange'];

/** The default project. */
export const project: Project = { projectCode: 'DEMO01', projectName: 'Demo Rewards', projectId: 101 };

/** Returns the root for a seed. Anyone with the seed can compute all secrets that derive from it (OP-55). */
export function rootOf(seed: string): string {
  return `rewards-sandbox:${seed}`;
}

/**
 * Returns the initial random streams of a start. They derive from the root, or from the seed if the workspace's creator
 * chose it. Stored codes and ids are drawn from `records`. The other two generate only the ids of spans and traces.
 */
export function streamsOf({ root, seed, ownSeed }: Pick<Meta, 'root' | 'seed' | 'ownSeed'>, start: number) {
  const records = `${ownSeed ? rootOf(seed) : root}#${start}`;
  const begin = (stream: string): StreamPlace => ({ seed: stream, drawn: 0 });
  return { records: begin(records), spans: begin(`${records}#spans`), traces: begin(`${records}#traces`) };
}

/** Derives the secrets of a workspace from its root. */
export function secretsOf(root: string) {
  const derive = (label: string) => createHmac('sha256', root).update(label).digest();
  return {
    companySecret: `sk_sandbox_${derive('company secret').toString('hex').slice(0, 32)}`,
    serviceToken: `st_sandbox_${derive('service token').toString('hex').slice(0, 32)}`,
    basic: { username: 'microsite', password: `pw_${derive('basic password').toString('hex').slice(0, 24)}` },
    general: { password: `pw_${derive('general password').toString('hex').slice(0, 24)}` },
    gatewayToken: `gt_sandbox_${derive('gateway token').toString('hex').slice(0, 32)}`,
    companyKey: derive('company tokens'),
    customerKey: derive('customer tokens'),
    jwtKey: derive('customer jwts'),
    generalKey: derive('general tokens'),
    cursorKey: createSecretKey(derive('cursors')),
    ownCalls: derive('own calls').toString('hex'),
    // The label must not change: instances of earlier versions, in which this key led only to the microsite, derive the
    // same value.
    addressKey: derive('microsite entry').toString('hex').slice(0, 32),
    pagePlace: derive('place of pages').toString('hex').slice(0, 16),
    pageKey: derive('sessions of pages'),
  };
}

export type Secrets = ReturnType<typeof secretsOf>;

/** Dependencies of `WorkspaceSettings`. */
interface SettingsParts {
  readonly store: Store<WorkspaceCollections>;
  readonly activity: Activity;
  readonly secrets: Secrets;
  readonly project: Project;
  /** The origin of this process. */
  readonly origin: () => string;
  /** The public origin (OP-228). */
  readonly publicOrigin: () => string;
  readonly isReachedByOthers: boolean;
  readonly addressProblem: (url: string) => string | undefined;
}

/** The settings of a workspace, with defaults applied, and its public description. */
export class WorkspaceSettings {
  readonly #parts: SettingsParts;
  /** The platform's URL of the reference client; `undefined` until the sandbox listens. */
  #reference: string | undefined;
  /** The cached settings, and the values from which they were computed. */
  #cached: (Pick<Meta, 'settings' | 'answers'> & { readonly client_url: string; readonly all: Settings }) | undefined;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  settings(): Settings {
    const { settings, answers = noAnswers } = this.meta();
    const client_url = this.#reference ?? this.referenceUrl();
    // Each call reads the settings several times, so they are cached.
    const cached = this.#cached;
    if (cached?.settings === settings && cached.answers === answers && cached.client_url === client_url)
      return cached.all;
    const { isReachedByOthers, secrets } = this.#parts;
    const defaults = isReachedByOthers ? settingsBeyondLoopback : defaultSettings;
    const reference: ClientAddress = { client_url, client_token: secrets.serviceToken };
    const settled = settledSettings(answers) as Partial<Settings>;
    const all = Object.freeze({ ...defaults, ...reference, ...settled, ...settings });
    this.#cached = { settings, answers, client_url, all };
    return all;
  }

  /** The credentials that the microsite sends. Default: the workspace's own. */
  get basic(): Secrets['basic'] {
    const { client_basic } = this.settings();
    if (client_basic === undefined) return this.#parts.secrets.basic;
    const colon = client_basic.indexOf(':');
    return { username: client_basic.slice(0, colon), password: client_basic.slice(colon + 1) };
  }

  /** Returns the platform's URL of the reference client. */
  referenceUrl(): string {
    if (this.#reference !== undefined) return this.#reference;
    const origin = this.#parts.origin();
    // Once the sandbox listens, its origin does not change.
    if (origin !== '') this.#reference = `${origin}/client`;
    return `${origin}/client`;
  }

  /** Returns whether a URL is that of the reference client, internal or public. */
  isReference(url: string): boolean {
    return url === this.referenceUrl() || this.#isPublicReference(url);
  }

  /**
   * Returns whether a URL is the public URL of the reference client, with or without the workspace's key. Without the
   * key, the caller's credentials identify the workspace.
   */
  #isPublicReference(url: unknown): boolean {
    return url === this.#publicReferenceUrl() || url === `${this.#parts.publicOrigin()}/client`;
  }

  /** Returns the base of the workspace's public URLs. */
  #publicAddress(): string {
    return `${this.#parts.publicOrigin()}${ownPath(this.meta().id, this.#parts.secrets, this.#parts.isReachedByOthers)}`;
  }

  #publicReferenceUrl(): string {
    return `${this.#publicAddress()}/client`;
  }

  meta(): Meta {
    const meta = this.#parts.store.get('meta', 'workspace');
    if (meta === undefined) throw new Error('the workspace was not opened');
    return meta;
  }

  describe(): PublicWorkspace {
    const origin = this.#parts.publicOrigin();
    const own = this.#publicAddress();
    const settings = this.settings();
    const { companySecret, serviceToken, general, gatewayToken } = this.#parts.secrets;
    const { id, adminToken } = this.meta();
    return {
      id,
      admin_token: adminToken,
      urls: {
        rewards: `${own}/rewards`,
        client: `${own}/client`,
        portal: `${own}/portal`,
        microsite: `${own}/microsite`,
        dashboard: `${origin}/dashboard`,
        general: `${own}/general`,
        sandbox: `${origin}/sandbox/v1`,
        gateway: `${origin}/gateway`,
      },
      credentials: {
        company_secret: companySecret,
        basic: this.basic,
        service_token: serviceToken,
        general,
        gateway_token: gatewayToken,
      },
      project_code: this.#parts.project.projectCode,
      settings: this.isReference(settings.client_url)
        ? { ...settings, client_url: this.#publicReferenceUrl() }
        : settings,
    };
  }

  /** Returns the problem with a change of settings that its schema does not cover; `undefined` if there is none. */
  refusalOf({ allowlist = [], client_url }: SettingsChange): Refused | undefined {
    const range = allowlist.findIndex((text) => !isRange(text));
    if (range >= 0) return invalid(`/settings/allowlist/${range}`, 'must be an address range such as 10.0.0.0/8');
    const problem =
      typeof client_url === 'string' && !this.isReference(client_url) && this.#parts.addressProblem(client_url);
    return typeof problem === 'string' ? invalid('/settings/client_url', problem) : undefined;
  }

  /** Changes settings; null resets a setting to its default. Resolves with a refusal if the change is invalid. */
  async change(change: SettingsChange, trace: string): Promise<Refused | undefined> {
    const refused = this.refusalOf(change);
    if (refused === undefined) await this.#write(change, trace);
    return refused;
  }

  /**
   * Sets the client URL to the server of a listener. All addresses are allowed, because the sandbox does not connect to
   * it (OP-247).
   */
  async setListened(client_url: string, trace: string): Promise<void> {
    if (this.settings().client_url !== client_url) await this.#write({ client_url }, trace);
  }

  async #write(change: SettingsChange, trace: string): Promise<void> {
    const detail = { changed: Object.keys(change) };
    const note = { trace, party: 'sandbox', event: 'settings.changed', detail } as const;
    await this.#update(({ settings }) => ({ settings: this.settingsWith(settings, change) }), note);
  }

  /** Changes the workspace's record, and adds `note` to the activity log, if given. */
  async #update(change: (meta: Meta) => Partial<Meta>, note?: Parameters<Activity['note']>[1]): Promise<void> {
    const { store, activity } = this.#parts;
    await store.transact((tx) => {
      const meta = tx.get('meta', 'workspace') ?? this.meta();
      tx.put('meta', 'workspace', { ...meta, ...change(meta) });
      if (note !== undefined) activity.note(tx, note);
    });
  }

  /** Returns the other side's answers to open points (OP-251). A workspace that could not be created has none. */
  answers(): Answers {
    return this.#parts.store.get('meta', 'workspace')?.answers ?? noAnswers;
  }

  /**
   * Replaces the answers. Settings that an answer settles adopt its value. Resolves with a refusal if the answers are
   * invalid.
   */
  async replaceAnswers(answers: Answers, trace: string): Promise<Refused | undefined> {
    const [wrong] = answersProblems(answers);
    if (wrong !== undefined) return invalid(wrong.where, wrong.problem);
    const settled = Object.keys(settledSettings(answers));
    const unsettledEntries = (settings: object) => Object.entries(settings).filter(([name]) => !settled.includes(name));
    const detail = { answered: Object.keys(answers.answers) };
    const note = { trace, party: 'sandbox', event: 'answers.changed', detail } as const;
    await this.#update(({ settings }) => ({ settings: Object.fromEntries(unsettledEntries(settings)), answers }), note);
    return undefined;
  }

  /**
   * Returns the settings after a change. Null resets a setting to its default. A `client_url` of null, or of the public
   * reference client, also resets `client_token`, because that client accepts only its own token.
   */
  settingsWith(before: Partial<Settings>, change: SettingsChange): Partial<Settings> {
    const isReference = change.client_url === null || this.#isPublicReference(change.client_url);
    const changed = {
      ...before,
      ...(isReference && { client_token: null }),
      ...change,
      ...(isReference && { client_url: null }),
    };
    return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
  }

  /** Commits the state of the clock. */
  async keepClock(clock: ClockState): Promise<void> {
    await this.#update(() => ({ clock }));
  }
}

/**
 * Returns the path prefix of a workspace's APIs (OP-63). It is empty for the demo workspace, unless other machines can
 * reach the sandbox. The prefix identifies the workspace of callers whose credentials do not: those with a token from a
 * partner's server, and customers without a token.
 */
export function ownPath(id: string, { addressKey }: Secrets, isReachedByOthers: boolean): string {
  return id === 'demo' && !isReachedByOthers ? '' : workspacePath(addressKey);
}
