import type { components } from '../../generated/sandbox/types.ts';
import type { Meta, WorkspaceCollections } from '../assembly/collections.ts';
import { endOf, type Life } from '../assembly/life.ts';
import type { Parties } from '../assembly/parties.ts';
import type { PartnerFigures } from '../assembly/partner-figures.ts';
import { secretsOf } from '../assembly/settings.ts';
import type { WorkspacesAsk } from '../control/control.ts';
import type { ClockState } from '../runtime/clock.ts';
import { digest } from '../runtime/tokens.ts';
import type { Store } from '../store/store.ts';

/** The description of a workspace while it is not in memory (OP-211). */
export interface WorkspaceRecord {
  readonly id: string;
  readonly life: Life;
  /** The real time at which its next work is due, in milliseconds; null if none is due before the next call. */
  readonly dueAt: number | null;
  /** The figures for the partner board (OP-261); omitted if they were not counted yet. */
  readonly figures?: PartnerFigures | undefined;
}

/** The data that identifies the credentials of a workspace. */
export interface Identity {
  /** The digests of its credentials. No credential can be derived from them. */
  readonly digests: {
    readonly secrets: readonly string[];
    /** The digest of the secret in its calls to itself. */
    readonly ownCalls: string;
  };
  /** The keys that sign its tokens. They are stored only where its data is. */
  readonly tokenKeys: readonly Uint8Array[];
}

/** A workspace record with the data that identifies its credentials. */
export type DormantWorkspace = WorkspaceRecord & Identity;

/** Returns the data that identifies a workspace's credentials. */
export function identityOf({ root, adminToken }: Pick<Meta, 'root' | 'adminToken'>): Identity {
  const { companySecret, serviceToken, basic, general, gatewayToken, ownCalls, ...others } = secretsOf(root);
  const { companyKey, customerKey, jwtKey, generalKey, addressKey, pagePlace } = others;
  const secrets = [adminToken, companySecret, serviceToken, basic.password, general.password, gatewayToken];
  return {
    digests: { secrets: [...secrets, addressKey, pagePlace].map(digest), ownCalls: digest(ownCalls) },
    tokenKeys: [companyKey, customerKey, jwtKey, generalKey],
  };
}

/** Returns the real time at which a workspace's next work is due, for its record. */
export function nextDueAt({ clock, runner }: Pick<Parties, 'clock' | 'runner'>, realTime: number): number | null {
  const next = runner.nextAt;
  const { mode, value } = clock.state();
  // While work runs, the next due time is unknown, so check again immediately.
  return next === undefined ? realTime : mode === 'frozen' || next === null ? null : next - value;
}

/** The part of a record that appears in lists. */
export type WorkspaceSummary = Pick<WorkspaceRecord, 'id' | 'life' | 'figures'>;

/** A query for a list. `after` identifies the last workspace of the previous page. */
export interface ListQuery extends Omit<WorkspacesAsk, 'after'> {
  readonly after: { readonly made: number; readonly id: string } | undefined;
}

/** Parses the cursor of a query, such as `1768165452318.ws_9f86d081884c7d65`. */
export function parseListQuery({ after, ...ask }: WorkspacesAsk): ListQuery {
  const [, made, id = ''] = /^(\d+)\.(.+)$/.exec(after ?? '') ?? [];
  return { ...ask, after: made === undefined ? undefined : { made: Number(made), id } };
}

/** Returns the workspaces that match the query, oldest first, then by id (OP-54, OP-227). */
export function selectSummaries<T extends WorkspaceSummary>(all: readonly T[], { after, search, limit }: ListQuery) {
  const text = search?.toLowerCase();
  const is = ({ id, life: { made, name = '' } }: T) =>
    (after === undefined || made > after.made || (made === after.made && id > after.id)) &&
    (text === undefined || id.includes(text) || name.toLowerCase().includes(text));
  return all.filter(is).toSorted(byMaking).slice(0, limit);
}

/** Converts a workspace to a list item of the API. */
export function summary({ id, life }: WorkspaceSummary): components['schemas']['WorkspaceSummary'] {
  const iso = (instant: number) => new Date(instant).toISOString();
  const end = endOf(life);
  const expires_at = end === null ? null : iso(end);
  const { name = null, createdBy: created_by = null } = life;
  return { id, name, created_by, created_at: iso(life.made), last_used_at: iso(life.used), expires_at };
}

function byMaking(one: WorkspaceSummary, other: WorkspaceSummary): number {
  return one.life.made - other.life.made || (one.id < other.id ? -1 : 1);
}

/** Changes the stored record of a workspace. Resolves with the changed record. */
export function changeMeta(store: Store<WorkspaceCollections>, initial: Meta, change: (meta: Meta) => Partial<Meta>) {
  return store.transact((tx) => {
    const meta = tx.get('meta', 'workspace') ?? initial;
    const changed = { ...meta, ...change(meta) };
    tx.put('meta', 'workspace', changed);
    return changed;
  });
}

/** Stores the time of a workspace's last use and its clock, unless its record already contains both. */
export async function writeLastUse(
  store: Store<WorkspaceCollections>,
  stored: Meta,
  used: number,
  clock: ClockState,
): Promise<void> {
  if (stored.life.used === used && stored.clock.value === clock.value) return;
  // The name or expiry may have changed while this transaction waited.
  await changeMeta(store, stored, ({ life }) => ({ clock, life: { ...life, used } }));
}
