import type { components } from '../../generated/sandbox/types.ts';
import { activitySchema } from '../activity-log/stored-log.ts';
import { type ClientCollections, clientSchema } from '../client/collections.ts';
import type { DemoData } from '../client/profiles.ts';
import type { Answers } from '../conformance/answers.ts';
import { dueSchema } from '../jobs/work.ts';
import { type PlatformCollections, platformSchema } from '../platform/collections.ts';
import type { ClockState } from '../runtime/clock.ts';
import { type FaultCollections, faultSchema } from '../runtime/faults.ts';
import { type RandomCollections, randomSchema, type StreamPlace } from '../runtime/ids.ts';
import type { Settings } from '../runtime/settings.ts';
import { type MicrositeCollections, micrositeSchema } from '../sites/microsite/microsite.ts';
import type { StoreSchema } from '../store/store.ts';
import { type VendorCollections, vendorSchema } from '../vendors/outcomes.ts';
import type { Life } from './life.ts';

type Schemas = components['schemas'];

/** The workspace's own record: its origin, its settings, and the state of its clock. */
export interface Meta {
  readonly id: string;
  /** The source of all secrets except the admin token. On loopback, the root of the demo workspace derives from its seed. */
  readonly root: string;
  readonly adminToken: string;
  /** The seed of the catalogue and the customers. */
  readonly seed: string;
  /** Whether the customers' mobile numbers and PANs are plausible. Default: impossible (OP-163). */
  readonly demoData?: DemoData;
  /** Set if the workspace's creator chose the seed. Codes then derive from it too, so that they are repeatable. */
  readonly ownSeed?: true;
  /** The number of starts with this data. Each start draws from its own random stream. */
  readonly starts: number;
  readonly clock: ClockState;
  readonly settings: Partial<Settings>;
  /** The initial settings, which a reset restores. */
  readonly given: Partial<Settings>;
  /** The other side's answers to open points. A reset preserves them (OP-251). */
  readonly answers?: Answers;
  readonly life: Life;
  /** The keys that the operator trusts, in the record of the demo workspace. A reset preserves them (OP-263). */
  readonly trustedKeys?: readonly Schemas['TrustedKey'][];
  /** Set if the workspace is being deleted. It is removed when its last call ends, or at the next start. */
  readonly deleted?: true;
}

/** A snapshot: its name, and the workspace state outside the collections (OP-64). */
export interface SnapshotRecord {
  readonly id: string;
  readonly name: string;
  readonly at: string;
  /** Milliseconds on the sandbox clock. */
  readonly instant: number;
  readonly random: StreamPlace;
  readonly traces: StreamPlace;
}

/** All stored data of a workspace. Each party has its own collections, and no transaction spans two parties. */
export interface WorkspaceCollections
  extends PlatformCollections,
    ClientCollections,
    VendorCollections,
    MicrositeCollections,
    FaultCollections,
    RandomCollections {
  readonly meta: Meta;
  readonly snapshots: SnapshotRecord;
  readonly certifications: CertificationRecord;
  readonly certificates: CertificateRecord;
  readonly partner: PartnerRecord;
}

export const workspaceSchema: StoreSchema<WorkspaceCollections> = {
  // `meta` is first, so that it is read first from a snapshot. It is essential, so that a full workspace can still
  // start and stop.
  meta: { essential: true },
  snapshots: {},
  certifications: {},
  certificates: {},
  // `partner` is small, and must be updated even if the workspace is full.
  partner: { essential: true },
  ...platformSchema,
  ...clientSchema,
  ...vendorSchema,
  ...micrositeSchema,
  ...activitySchema,
  ...dueSchema,
  ...faultSchema,
  ...randomSchema,
};

/** A certification as stored (OP-205). Without `ended_at`, it is running, or its process ended first. */
export type CertificationRecord = Omit<
  Schemas['Certification'],
  'state' | 'position' | 'outcome' | 'counts' | 'verdicts'
>;

/** The content of a certificate that does not depend on its reader (OP-262). */
export type CertificateFacts = Omit<Schemas['CertificateSummary'], 'expires_at' | 'expired' | 'signer' | 'key_name'>;

/** A submitted certificate. */
export interface CertificateRecord {
  readonly text: string;
  readonly facts: CertificateFacts;
}

/** Figures for the partner board (OP-261). */
export interface PartnerRecord {
  /** The number of the last counted entry in the activity log. */
  readonly counted: number;
  /** The open points that calls relied on. */
  readonly reliedOn: readonly string[];
  /** The figures per day, oldest first. */
  readonly days: readonly Schemas['PartnerDay'][];
}
