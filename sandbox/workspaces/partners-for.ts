import { certificateSummary, type KnownKeys } from '../assembly/certificates.ts';
import type { CertificateFacts } from '../assembly/collections.ts';
import { partnerRow } from '../assembly/partner-figures.ts';
import type { Control } from '../control/control.ts';
import type { Workspace } from './workspace.ts';
import { type ListQuery, parseListQuery, selectSummaries, summary, type WorkspaceSummary } from './workspace-record.ts';

/** Access to all workspaces, and to the keys that apply to all of them. */
export interface PartnersHost {
  readonly realTime: () => number;
  /** Returns the workspaces that match the query with their figures, oldest first. */
  readonly figures: (ask: ListQuery) => Promise<readonly WorkspaceSummary[]>;
  /** Returns the key of the sandbox, and the keys that the operator trusts. */
  readonly knownKeys: () => Promise<KnownKeys>;
}

/**
 * Returns the partner operations of a workspace. The demo workspace sees all partners, and any other workspace sees
 * only itself (OP-261).
 */
export function partnersFor(self: Workspace, host: PartnersHost): Control['partners'] {
  const operator = self.place.length === 0;
  const { certificates } = self;
  /** Returns a function that summarizes certificates. Loads the known keys only if a certificate has a key. */
  const reader = async (facts: readonly CertificateFacts[]) => {
    const known = facts.some(({ key }) => key !== null) ? await host.knownKeys() : { trusted: new Map() };
    return (each: CertificateFacts) => certificateSummary(each, known, host.realTime());
  };
  return {
    list: async ({ days, ...ask }) => {
      const query = parseListQuery(ask);
      const found = operator ? await host.figures(query) : selectSummaries([await self.listed()], query);
      const read = await reader(found.flatMap(({ figures }) => figures?.certificates ?? []));
      const wish = { days, now: host.realTime() };
      return found.map((one) =>
        partnerRow(summary(one), one.figures, (one.figures?.certificates ?? []).map(read), wish),
      );
    },
    handIn: async (text, trace) => {
      const result = await certificates.handIn(text, trace);
      return 'kind' in result ? result : (await reader([result]))(result);
    },
    certificates: async () => {
      const facts = certificates.handedIn();
      return facts.map(await reader(facts));
    },
    evidence: async (clientUrl) => {
      const facts = certificates.handedIn().filter(({ client_url }) => client_url === clientUrl);
      const known = facts
        .map(await reader(facts))
        .filter(({ signer, expired }) => signer !== 'self_signed' && !expired);
      const newest = known.toSorted((one, other) => other.issued_at.localeCompare(one.issued_at))[0];
      const claims = newest && certificates.claims(newest.id);
      if (newest === undefined || claims === undefined) return undefined;
      const verdicts = Object.entries(claims.verdicts).map(([id, { verdict }]) => ({ id, verdict }));
      return { id: newest.id, outcome: newest.outcome, ended_at: newest.issued_at, verdicts };
    },
    trustedKeys: () => (operator ? [...certificates.trustedKeys()] : undefined),
    trust: async (keys, trace) => (operator ? certificates.trust(keys, trace) : { kind: 'not_found' }),
  };
}
