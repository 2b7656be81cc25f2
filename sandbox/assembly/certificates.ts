/** The certificates of a workspace: those of its own runs, and submitted ones (OP-262). */
import type { components } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { CertificateClaims } from '../certification/certificate.ts';
import type { TrustedKey } from '../certification/trusted-keys.ts';
import { invalid, type Refused } from '../domain/failures.ts';
import { numberedId } from '../runtime/ids.ts';
import type { Store } from '../store/store.ts';
import type { CertificateFacts, WorkspaceCollections } from './collections.ts';

type Summary = components['schemas']['CertificateSummary'];

/** Maximum number of submitted certificates that a workspace stores. */
const mostCertificates = 20;
/** The validity of a certification, in milliseconds. */
const validMilliseconds = 365 * 24 * 3_600_000;

interface CertificatesParts {
  readonly store: Store<WorkspaceCollections>;
  readonly activity: Pick<Activity, 'note'>;
  readonly realTime: () => number;
}

/** The certificates of one workspace. */
export class Certificates {
  readonly #parts: CertificatesParts;

  constructor(parts: CertificatesParts) {
    this.#parts = parts;
  }

  /** Verifies a certificate from elsewhere and stores it. Resolves with a refusal if it is invalid. */
  async submit(text: string, trace: string): Promise<CertificateFacts | Refused> {
    const { BadCertificate, checkCertificate } = await import('../certification/certificate-check.ts');
    const { store, activity, realTime } = this.#parts;
    const certificate = text.trim();
    try {
      const { claims, key } = await checkCertificate(certificate, { now: realTime() });
      const { target, verdicts } = claims;
      const rest = { ...claims, client_url: target.client_url, verdicts: Object.values(verdicts) };
      return await store.transact((tx) => {
        const all = tx.all('certificates');
        const same = all.find((each) => each.text === certificate);
        if (same !== undefined) return same.facts;
        const ids = tx.ids('certificates');
        const id = numberedId('CER', Number.parseInt(ids.at(-1)?.slice('CER-'.length) ?? '0', 10) + 1);
        const facts = factsOf(rest, { id, source: 'submitted', key });
        for (const old of ids.slice(0, Math.max(0, ids.length + 1 - mostCertificates))) tx.remove('certificates', old);
        tx.put('certificates', id, { text: certificate, facts });
        activity.note(tx, { trace, party: 'sandbox', event: 'certificate.submitted', detail: { id } });
        return facts;
      });
    } catch (error) {
      if (!(error instanceof BadCertificate)) throw error;
      return invalid('/certificate', `is not valid. ${error.message}`);
    }
  }

  /** Returns the keys that the operator trusts (OP-263). */
  trustedKeys(): readonly TrustedKey[] {
    return this.#parts.store.get('meta', 'workspace')?.trustedKeys ?? [];
  }

  /** Replaces the keys that the operator trusts. Resolves with a refusal if one is invalid. */
  async trust(trustedKeys: readonly TrustedKey[], trace: string): Promise<Refused | undefined> {
    const { namesByKey, TrustedKeysError } = await import('../certification/trusted-keys.ts');
    try {
      await namesByKey(trustedKeys);
    } catch (error) {
      if (error instanceof TrustedKeysError) return invalid(error.where, error.message);
      throw error;
    }
    const { store, activity } = this.#parts;
    await store.transact((tx) => {
      const meta = tx.get('meta', 'workspace');
      if (meta === undefined) throw new Error('the workspace was not opened');
      tx.put('meta', 'workspace', { ...meta, trustedKeys });
      const detail = { names: trustedKeys.map(({ name }) => name) };
      activity.note(tx, { trace, party: 'sandbox', event: 'trusted_keys.changed', detail });
    });
    return undefined;
  }

  /** Returns the submitted certificates, newest first. */
  submitted(): readonly CertificateFacts[] {
    return this.#parts.store
      .all('certificates')
      .map(({ facts }) => facts)
      .toReversed();
  }

  /** Returns the claims of a submitted certificate, which was verified when it was stored. */
  claims(id: string): CertificateClaims | undefined {
    const payload = this.#parts.store.get('certificates', id)?.text.split('.')[1];
    return payload === undefined ? undefined : JSON.parse(Buffer.from(payload, 'base64url').toString());
  }

  /** Returns the submitted certificates, newest first, followed by the newest finished run. */
  facts(): readonly CertificateFacts[] {
    const run = this.#parts.store
      .all('certifications')
      .toReversed()
      .flatMap(({ id, report }) => {
        if (report === null || !isFinal(report.outcome)) return [];
        const { target, outcome, requirements, finished_at: issued_at, verdicts } = report;
        const { client_url } = target;
        return factsOf({ client_url, outcome, requirements, issued_at, verdicts }, { id, source: 'run', key: null });
      })[0];
    return [...this.submitted(), ...(run === undefined ? [] : [run])];
  }
}

/** The content of a run or a certificate. */
interface Stated extends Pick<Summary, 'client_url' | 'requirements' | 'issued_at'> {
  readonly outcome: string;
  readonly verdicts: readonly { readonly level: string; readonly verdict: string }[];
}

function isFinal(outcome: string): outcome is Summary['outcome'] {
  return outcome === 'passed' || outcome === 'partial' || outcome === 'failed';
}

function factsOf(
  { client_url, requirements, issued_at, outcome, verdicts }: Stated,
  from: Pick<Summary, 'id' | 'source' | 'key'>,
): CertificateFacts {
  if (!isFinal(outcome)) throw new Error(`no certificate has the outcome ${outcome}`);
  const open_failures = verdicts.filter(({ level, verdict }) => level === 'must' && verdict === 'fail').length;
  return { ...from, client_url, requirements, issued_at, outcome, open_failures };
}

/** Known keys, identified by their thumbprints. */
export interface KnownKeys {
  /** The thumbprint of the sandbox's own key. */
  readonly own?: string;
  /** Names of trusted keys, by thumbprint. */
  readonly trusted: ReadonlyMap<string, string>;
}

/** Identifies the owner of a key by its thumbprint (OP-263). */
function signerOf(key: string | null, { own, trusted }: KnownKeys): Pick<Summary, 'signer' | 'key_name'> {
  if (key === null || key === own) return { signer: 'witnessed_here', key_name: null };
  const name = trusted.get(key);
  return { signer: name === undefined ? 'self_signed' : 'trusted_key', key_name: name ?? null };
}

/** Returns the current summary of a certificate for a reader who knows the keys in `known`. */
export function certificateSummary(facts: CertificateFacts, known: KnownKeys, now: number): Summary {
  const end = Date.parse(facts.issued_at) + validMilliseconds;
  return { ...facts, ...signerOf(facts.key, known), expires_at: new Date(end).toISOString(), expired: end <= now };
}
