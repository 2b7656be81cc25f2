import type { CryptoKey } from 'jose';
import type { components } from '../../generated/sandbox/types.ts';
import type { CertificationQueue, QueuedRun, RunEnd, RunRequest } from '../certification/queue.ts';
import { boundedReport } from '../certification/report.ts';
import type { Input, Report } from '../certification/verdict.ts';
import type { Control } from '../control/control.ts';
import { invalid } from '../domain/failures.ts';
import { numberedId } from '../runtime/ids.ts';
import type { Store, Tx } from '../store/store.ts';
import type { CertificationRecord, WorkspaceCollections } from './collections.ts';
import type { WorkspaceSettings } from './settings.ts';

type Schemas = components['schemas'];
type Request = Schemas['CertificationInput'];
type Verdict = Schemas['RequirementVerdict'];

/** Maximum number of certifications that a workspace stores (OP-205). */
export const mostCertifications = 20;

/** The parts of the workspace and the sandbox that certifications use. */
interface CertificationParts {
  readonly store: Store<WorkspaceCollections>;
  readonly workspace: WorkspaceSettings;
  /** Returns the problem with an address to call; `undefined` if there is none. */
  readonly addressProblem: (url: string) => string | undefined;
  readonly queue: Pick<CertificationQueue, 'start' | 'full' | 'mostQueued'>;
  /** Returns the key for fair scheduling. Runs with the same key share one portion of the processor. */
  readonly share: () => string;
  readonly origin: () => string;
  readonly realTime: () => number;
  readonly warn: (message: string) => void;
  /** Signs the certificates of runs. */
  readonly signingKey: () => Promise<CryptoKey>;
}

interface Running {
  readonly id: string;
  readonly run: QueuedRun;
  readonly verdicts: Verdict[];
  /** The start time of the run, or the time of the request while it is queued. */
  startedAt: string;
  of: number | null;
  /** Resolves once the result is stored. */
  saved: Promise<void>;
}

/** The certifications of a workspace: at most one queued or running, and those that have ended (OP-204, OP-205). */
export class Certifications {
  readonly #parts: CertificationParts;
  #running: Running | undefined;
  #stopped = false;

  constructor(parts: CertificationParts) {
    this.#parts = parts;
  }

  /** Starts a certification. Refuses while another one is running or queued. */
  async start(request: Request): ReturnType<Control['certifications']['start']> {
    if (request.sandbox !== undefined) return invalid('/sandbox', 'is this sandbox: use `log` to check its log');
    const { problemOf } = await import('../certification/input.ts');
    const input = this.#inputOf(request);
    const problem = this.#addressProblemOf(request) ?? problemOf(input);
    if (problem !== undefined) return { kind: 'invalid_request', ...problem };
    if (this.#stopped) return { kind: 'unavailable' };
    const { queue } = this.#parts;
    const remedy = 'wait until one has finished, or delete it';
    if (this.#running !== undefined)
      return { kind: 'limit_reached', limit: 1, what: 'concurrent certification', remedy };
    if (queue.full)
      return { kind: 'limit_reached', limit: queue.mostQueued, what: 'certifications in the queue', remedy };
    return this.#begin(input);
  }

  list(): Schemas['CertificationSummary'][] {
    const newestFirst = this.#parts.store.all('certifications').toReversed();
    return newestFirst.map((record) => summaryOf(this.#toPublic(record)));
  }

  get(id: string): Schemas['Certification'] | undefined {
    const record = this.#parts.store.get('certifications', id);
    return record && this.#toPublic(record);
  }

  /** Deletes a certification, after an orderly stop if it is running. Returns whether it existed. */
  async remove(id: string): Promise<boolean> {
    if (this.#running?.id === id) await this.#end();
    return this.#parts.store.transact((tx) => {
      const there = tx.get('certifications', id) !== undefined;
      if (there) tx.remove('certifications', id);
      return there;
    });
  }

  /** Whether a certification is running or queued. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Refuses new certifications, and waits for an orderly stop of the running one. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end();
  }

  /** Aborts the running certification immediately. */
  cut(): void {
    this.#running?.run.cut();
  }

  async #end(): Promise<void> {
    this.#running?.run.end();
    await this.#running?.saved;
  }

  async #begin(input: Input): Promise<Schemas['CertificationSummary']> {
    const { store, realTime, queue, warn } = this.#parts;
    const { client_url, api = null, seed = '1' } = input;
    const last = store.ids('certifications').at(-1)?.slice('CRT-'.length) ?? '0';
    const id = numberedId('CRT', Number.parseInt(last, 10) + 1);
    const started_at = new Date(realTime()).toISOString();
    const begun = { id, target: { client_url, api }, seed, started_at, ended_at: null, done: 0, of: null };
    const record: CertificationRecord = { ...begun, report: null, problem: null, exchanges_left_out: 0 };
    const verdicts: Verdict[] = [];
    const judged: RunRequest['judged'] = (verdict, { of }) => {
      verdicts.push(verdict);
      running.of = of;
    };
    const answers = this.#parts.workspace.answers();
    const run = queue.start({ input: { ...input, answers }, share: this.#parts.share(), judged });
    const running: Running = { id, run, verdicts, startedAt: started_at, of: null, saved: Promise.resolve() };
    void run.begun.then(() => {
      running.startedAt = new Date(realTime()).toISOString();
    });
    this.#running = running;
    try {
      await store.transact((tx) => putWithin(tx, record));
    } catch (error) {
      run.cut();
      this.#running = undefined;
      throw error;
    }
    running.saved = run.ended
      .then((end) => this.#save(record, running, end))
      .catch((error: Error) => warn(`Cannot save certification ${id}: ${error.message}`))
      .finally(() => {
        this.#running = undefined;
      });
    return summaryOf(this.#toPublic(record));
  }

  /** Stores the result of the run. */
  async #save(
    record: CertificationRecord,
    { verdicts, of, startedAt: started_at }: Running,
    end: RunEnd,
  ): Promise<void> {
    const ended_at = new Date(this.#parts.realTime()).toISOString();
    const bounded = 'report' in end ? boundedReport(end.report) : undefined;
    const problem = 'problem' in end ? end.problem : null;
    const result = {
      report: bounded?.report ?? null,
      problem,
      exchanges_left_out: bounded?.exchangesLeftOut ?? 0,
      ...(bounded && (await this.#certified(bounded.report))),
    };
    const ended = { ...record, started_at, ended_at, done: verdicts.length, of, ...result };
    await this.#parts.store.transact((tx) => tx.put('certifications', record.id, ended));
  }

  /** Issues the certificate of a finished run (OP-262). */
  async #certified(report: Report): Promise<Pick<CertificationRecord, 'certificate'>> {
    const { issueCertificate, NoCertificate } = await import('../certification/certificate.ts');
    try {
      return { certificate: await issueCertificate(report, { key: await this.#parts.signingKey() }) };
    } catch (error) {
      // The report is useful even without a certificate.
      if (!(error instanceof NoCertificate)) this.#parts.warn(`Cannot sign a certificate: ${(error as Error).message}`);
      return {};
    }
  }

  #toPublic(record: CertificationRecord): Schemas['Certification'] {
    const { report, ended_at } = record;
    const running = this.#running;
    if (ended_at === null && running?.id === record.id) {
      const { verdicts, of, startedAt: started_at } = running;
      const { position } = running.run;
      const state = position === null ? 'running' : 'queued';
      const now = { started_at, position, done: verdicts.length, of, verdicts: [...verdicts] };
      return { ...record, ...now, state, outcome: null, counts: null };
    }
    const problem = report === null ? (record.problem ?? 'The sandbox stopped before the run finished.') : null;
    const result = { outcome: report?.outcome ?? 'interrupted', counts: report?.counts ?? null } as const;
    const target = report?.target ?? record.target;
    return { ...record, ...result, target, problem, state: 'ended', position: null, verdicts: report?.verdicts ?? [] };
  }

  /** Returns the input of a run. This workspace supplies values that are missing in the request. */
  #inputOf({ log = false, ...request }: Request): Input {
    const { workspace, origin } = this.#parts;
    const { admin_token, credentials, settings } = workspace.describe();
    const { username, password } = credentials.basic;
    const own = {
      client_url: settings.client_url,
      service_token: settings.client_token,
      basic: `${username}:${password}`,
    };
    const here = log || request.otp?.gateway === true ? { sandbox: { url: origin(), admin_token } } : {};
    return { ...(request.client_url === undefined && own), ...request, ...here } as Input;
  }

  /** Returns the problem with an address in the request; `undefined` if there is none (OP-60, OP-78). */
  #addressProblemOf({ client_url, otp, webhook }: Request) {
    const { addressProblem, workspace } = this.#parts;
    const named = [
      ['/client_url', client_url !== undefined && workspace.isReference(client_url) ? undefined : client_url],
      ['/otp/url', otp?.url],
      ['/webhook/url', webhook?.url],
    ] as const;
    for (const [where, url] of named) {
      const problem = url === undefined ? undefined : addressProblem(url);
      if (problem !== undefined) return { where, problem };
    }
    return undefined;
  }
}

/** Adds a record, and removes the oldest records over the limit. */
function putWithin(tx: Tx<WorkspaceCollections>, record: CertificationRecord): void {
  const ids = tx.ids('certifications');
  for (const old of ids.slice(0, Math.max(0, ids.length + 1 - mostCertifications))) tx.remove('certifications', old);
  tx.put('certifications', record.id, record);
}

function summaryOf(certification: Schemas['Certification']): Schemas['CertificationSummary'] {
  const { id, state, position, target, seed, started_at, ended_at, done, of, outcome, counts } = certification;
  return { id, state, position, target, seed, started_at, ended_at, done, of, outcome, counts };
}
