import type { DemoData } from './client/profiles.ts';
import type { ShareAddress } from './cluster/cluster-member.ts';
import type { Answers } from './conformance/answers.ts';
import type { Violation } from './contract/api.ts';
import type { CertificateFiles } from './http/certificate.ts';
import type { Resolve } from './http-client/connecting.ts';
import type { OutgoingLimits } from './http-client/outgoing.ts';
import type { OperationsAddress } from './operator/watched.ts';
import type { CallOptions } from './options.ts';
import type { ClockMode } from './runtime/clock.ts';
import type { ObservedCall } from './runtime/observer.ts';
import type { OnSpan } from './runtime/spans.ts';
import type { Delay, Timer } from './runtime/timer.ts';
import type { Files } from './store/files.ts';

/** What a sandbox is started with. Everything can be left out. */
export interface SandboxOptions extends CallOptions {
  /** 0 for any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where the validation proxy of this sandbox listens; no caller may have the sandbox call it (OP-78). */
  readonly proxyPort?: number;
  /** Where to keep the data; left out, a sandbox forgets everything when it ends. */
  readonly dataDir?: string;
  /**
   * A PostgreSQL database to keep the data in instead, as `postgres://user:password@host/database`; needs a `key`
   * (OP-195).
   */
  readonly store?: string;
  /** 32 bytes that encrypt the data at rest (OP-33). */
  readonly key?: Uint8Array;
  /** The file system that stores the data. Default: the machine's. */
  readonly files?: Files;
  /**
   * The size in bytes at which the write-ahead log is checkpointed into the document. Default: the store's own.
   */
  readonly checkpointAfterBytes?: number;
  /**
   * Decides the demo workspace's content, codes and secrets. On a host that is not loopback it needs 16 characters;
   * without it, secrets and codes are random there (OP-55). Stored with the data.
   */
  readonly seed?: string;
  /** The kind of mobile numbers and PANs of the demo customers. Default: impossible ones (OP-163). Stored with the data. */
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  /** What the other side has answered to open points, for the demo workspace (OP-251). Default: the stored answers. */
  readonly answers?: Answers;
  /** Code of the project that customers, redemptions and reports belong to. Default: the demo project's. */
  readonly projectCode?: string;
  /**
   * The admin token of the demo workspace, which this machine then needs too. Default: the stored one, at first a random
   * one (OP-65).
   */
  readonly adminToken?: string;
  /** Real time in milliseconds. Default: PostgreSQL's clock with a `store` (OP-236), else the machine's. */
  readonly realTime?: () => number;
  /** Real time for callers who wait. Default: the machine's. */
  readonly timer?: Timer;
  readonly outgoing?: Partial<OutgoingLimits>;
  /** Serve https, with a certificate of the sandbox's own for localhost or with the one in the files (OP-32). */
  readonly https?: true | CertificateFiles;
  /** Finds the IP addresses of a host name to call. Default: the machine's resolver. */
  readonly resolve?: Resolve;
  /** Waits real milliseconds when a fault makes a call slow. Default: the machine's timer. */
  readonly delay?: Delay;
  /** Folder of the built documentation, served at `/docs`. Default: none. */
  readonly docs?: string;
  /**
   * Where other instances that share the `store` reach this one: each of them serves all workspaces, and each workspace is in
   * the memory of one of them (OP-207). Default: this process has all workspaces to itself.
   */
  readonly share?: ShareAddress;
  /** Most workspaces, the demo workspace included. Default: 100, or 10,000 with a `store` (OP-63). */
  readonly workspaces?: number;
  /** Most of them that the token of a workspace other than the demo workspace can create. Default: 10 (OP-230). */
  readonly maxCreatedWorkspaces?: number;
  /** With `share`: most workspaces in an instance's memory, the demo workspace included. Default: 1,000 (OP-212). */
  readonly maxLoaded?: number;
  /** Most bytes of data of a workspace, as JSON. Default: 256 MiB (OP-229). */
  readonly maxWorkspaceBytes?: number;
  /** Most bytes of data, as JSON, that all workspaces may have in memory. Default: by the limit of the heap (OP-244). */
  readonly memoryBytes?: number;
  /** With `share`: real milliseconds without a call after which a workspace leaves memory. Default: five minutes (OP-211). */
  readonly idleMilliseconds?: number;
  /** Called with the span of each call between parties, vendor attempt and job when it ends. */
  readonly onSpan?: OnSpan;
  /** Most calls in service at a time, to override the default (OP-83). */
  readonly mostInService?: number;
  /** The address of health checks and metrics for the operator. Default: none (OP-217). */
  readonly operations?: OperationsAddress;
  /** Called after each call (OP-219). */
  readonly onCall?: (call: ObservedCall) => void;
  /** How many writes to the log have failed so far, for the measurements. */
  readonly logWriteFailures?: () => number;
  /**
   * How long a stop waits for calls and due work in progress, in real milliseconds. Default: 8 s. Then they are aborted.
   */
  readonly stopMilliseconds?: number;
  /** Called with each reply that violates the contract; the caller gets a 500. */
  readonly onViolation?: (violation: Violation) => void;
  /** Receives warnings for the operator. */
  readonly warn?: (message: string) => void;
}
