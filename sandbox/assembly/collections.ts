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
  /** What all secrets but the admin token are derived from. On loopback the demo workspace's follows from its seed. */
  readonly root: string;
  readonly adminToken: string;
  /** Decides catalogue and customers. */
  readonly seed: string;
  /** Whether mobile numbers and PANs of its customers are plausible; left out, they are impossible (OP-163). */
  readonly demoData?: DemoData;
  /** Set if the creator of the workspace chose the seed: codes are derived from it too, so that they are repeatable. */
  readonly ownSeed?: true;
  /** How often the sandbox was started on this data; each start draws from a random stream of its own. */
  readonly starts: number;
  readonly clock: ClockState;
  readonly settings: Partial<Settings>;
  /** The settings that it began with, which a reset goes back to. */
  readonly given: Partial<Settings>;
  /** What the other side has answered to open points; a reset keeps it (OP-251). */
  readonly answers?: Answers;
  readonly life: Life;
  /** Keys that the operator trusts, in the record of the demo workspace; a reset keeps them (OP-263). */
  readonly trustedKeys?: readonly Schemas['TrustedKey'][];
  /** Set once it is to be removed, which ends when its last call does, or at the next start. */
  readonly deleted?: true;
}

/** A snapshot: its name, and what of the workspace is not in the collections (OP-64). */
export interface SnapshotRecord {
  readonly id: string;
  readonly name: string;
  readonly at: string;
  /** Milliseconds on the sandbox clock. */
  readonly instant: number;
  readonly random: StreamPlace;
  readonly traces: StreamPlace;
}

/** Everything that a workspace keeps. Each party's collections are its own; no transaction spans two parties. */
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
  // First, so that a reader of a snapshot has it immediately. Essential, so that a full workspace can still start and end.
  meta: { essential: true },
  snapshots: {},
  certifications: {},
  certificates: {},
  // Bounded, and a full workspace is counted too.
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

/** A certification as it is stored (OP-205); without `ended_at` it runs, or ended with its process. */
export type CertificationRecord = Omit<
  Schemas['Certification'],
  'state' | 'position' | 'outcome' | 'counts' | 'verdicts'
>;

/** What a certificate states, without what depends on its reader (OP-262). */
export type CertificateFacts = Omit<Schemas['CertificateSummary'], 'expires_at' | 'expired' | 'signer' | 'key_name'>;

/** A certificate that was handed in. */
export interface CertificateRecord {
  readonly text: string;
  readonly facts: CertificateFacts;
}

/** Figures for the board of partners (OP-261). */
export interface PartnerRecord {
  /** The last entry of the activity log that was counted. */
  readonly counted: number;
  /** The open points that calls relied on. */
  readonly reliedOn: readonly string[];
  /** Oldest first. */
  readonly days: readonly Schemas['PartnerDay'][];
}
