import type { DemoData } from './client/profiles.ts';
import type { ShareAddress } from './cluster/cluster-member.ts';
import type { Answers } from './conformance/answers.ts';
import type { Violation } from './contract/api.ts';
import type { CertificateFiles } from './http/certificate.ts';
import type { Resolve } from './http-client/connecting.ts';
import type { OutgoingLimits } from './http-client/outgoing.ts';
import type { OperationsAddress } from './operator/watched.ts';
import type { CallOptions } from './options.ts';
import type { ClockMode, Delay, Timer } from './runtime/clock.ts';
import type { ObservedCall } from './runtime/observer.ts';
import type { OnSpan } from './runtime/spans.ts';
import type { Files } from './store/files.ts';

/** The options of a sandbox. All are optional. */
export interface SandboxOptions extends CallOptions {
  /** The port to listen on. 0 selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /** The port of this sandbox's validation proxy. Callers cannot make the sandbox call it (OP-78). */
  readonly proxyPort?: number;
  /** The data folder. Default: none, and all data is lost when the sandbox stops. */
  readonly dataDir?: string;
  /**
   * A PostgreSQL database that stores the data instead, as `postgres://user:password@host/database`. Requires a `key`
   * (OP-195).
   */
  readonly store?: string;
  /** 32 bytes that encrypt the data at rest (OP-33). */
  readonly key?: Uint8Array;
  /** The file system that stores the data. Default: the machine's. */
  readonly files?: Files;
  /** The size of the write-ahead log, in bytes, that triggers a checkpoint. Default: the store's own. */
  readonly checkpointAfterBytes?: number;
  /**
   * The seed for the demo workspace's content, codes and secrets. If the host is not loopback, it needs at least 16
   * characters, and secrets and codes are random without it (OP-55). Stored with the data.
   */
  readonly seed?: string;
  /** The kind of mobile numbers and PANs of the demo customers. Default: impossible ones (OP-163). Stored with the data. */
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  /** The other side's answers to open points, for the demo workspace (OP-251). Default: the stored answers. */
  readonly answers?: Answers;
  /** The code of the project that owns customers, redemptions and reports. Default: the demo project's. */
  readonly projectCode?: string;
  /**
   * The admin token of the demo workspace. If set, it is also required on this machine. Default: the stored one,
   * initially random (OP-65).
   */
  readonly adminToken?: string;
  /** Returns real time in milliseconds. Default: PostgreSQL's clock with a `store` (OP-236), otherwise the machine's. */
  readonly realTime?: () => number;
  /** The timer for callers that wait in real time. Default: the machine's. */
  readonly timer?: Timer;
  readonly outgoing?: Partial<OutgoingLimits>;
  /** Serves https, with the sandbox's own certificate for localhost or with the one in the files (OP-32). */
  readonly https?: true | CertificateFiles;
  /** Resolves the host names of outgoing calls. Default: the machine's resolver. */
  readonly resolve?: Resolve;
  /** Delays calls in real time when a fault slows them down. Default: the machine's timer. */
  readonly delay?: Delay;
  /** The folder of the built documentation, served at `/docs`. Default: none. */
  readonly docs?: string;
  /**
   * The address at which other instances that share the `store` reach this one. Each instance serves all workspaces,
   * and each workspace is in the memory of one instance (OP-207). Default: this process is the only instance.
   */
  readonly share?: ShareAddress;
  /** Maximum number of workspaces, including the demo workspace. Default: 100, or 10,000 with a `store` (OP-63). */
  readonly workspaces?: number;
  /** Maximum number of workspaces that the token of a workspace other than demo can create. Default: 10 (OP-230). */
  readonly maxCreatedWorkspaces?: number;
  /**
   * With `share`: maximum number of workspaces in an instance's memory, including the demo workspace. Default: 1,000
   * (OP-212).
   */
  readonly maxLoaded?: number;
  /** Maximum size of a workspace's data as JSON, in bytes. Default: 256 MiB (OP-229). */
  readonly maxWorkspaceBytes?: number;
  /** Maximum size of all workspaces' data in memory as JSON, in bytes. Default: derived from the heap limit (OP-244). */
  readonly memoryBytes?: number;
  /**
   * With `share`: real milliseconds without a call after which a workspace is unloaded from memory. Default: five
   * minutes (OP-211).
   */
  readonly idleMilliseconds?: number;
  /** Called with each span when it ends: a call between parties, a vendor attempt, or a job. */
  readonly onSpan?: OnSpan;
  /** Maximum number of calls that are served concurrently. Overrides the default (OP-83). */
  readonly mostInService?: number;
  /** The address of health checks and metrics for the operator. Default: none (OP-217). */
  readonly operations?: OperationsAddress;
  /** Called after each call (OP-219). */
  readonly onCall?: (call: ObservedCall) => void;
  /** Returns the number of failed writes to the log, for the metrics. */
  readonly logWriteFailures?: () => number;
  /** Real milliseconds for which a stop waits for calls and due work in progress. Afterwards they are aborted. Default: 8 s. */
  readonly stopMilliseconds?: number;
  /** Called with each reply that violates the contract. The caller receives a 500. */
  readonly onViolation?: (violation: Violation) => void;
  /** Receives warnings for the operator. */
  readonly warn?: (message: string) => void;
}
