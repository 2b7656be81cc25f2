import type { DemoData } from './client/profiles.ts';
import type { Violation } from './contract/api.ts';
import type { CertificateFiles } from './http/certificate.ts';
import type { ShareAddress } from './http/instance-listener.ts';
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
  /** Where the validation proxy listens that is started beside it; nobody may have the sandbox call it (OP-78). */
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
  /** The file system that the data is kept on; the machine's where nothing else is said. */
  readonly files?: Files;
  /**
   * How large a journal gets before it is folded into the document, in bytes; the store's own measure where left out.
   */
  readonly checkpointAfterBytes?: number;
  /**
   * Decides what the demo workspace looks like, and its codes and secrets; on a host that is not loopback it needs 16
   * characters, and left out, secrets and codes are random there (OP-55). Kept with the data.
   */
  readonly seed?: string;
  /** What mobile numbers and PANs of the demo customers are like; left out, impossible (OP-163). Kept with the data. */
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  /** Code of the project that customers, redemptions and reports belong to; left out, the demo project's. */
  readonly projectCode?: string;
  /**
   * The admin token of the demo workspace, which then is asked for on this machine too; left out, what the data says,
   * at first a random one (OP-65).
   */
  readonly adminToken?: string;
  /** Real time in milliseconds; left out, by PostgreSQL's clock with a `store` (OP-236), else by the machine's. */
  readonly realTime?: () => number;
  /** Real time for callers who wait; the machine's where nothing else is said. */
  readonly timer?: Timer;
  readonly outgoing?: Partial<OutgoingLimits>;
  /** Serve https, with a certificate of the sandbox's own for localhost or with the one in the files (OP-32). */
  readonly https?: true | CertificateFiles;
  /** Finds the IP addresses of a name that is to be called; left out, the machine's resolver. */
  readonly resolve?: Resolve;
  /** Waits real milliseconds where a fault makes a call slow; the machine's timer where nothing else is said. */
  readonly delay?: Delay;
  /** Folder of the built documentation, served at `/docs`; left out, there is none. */
  readonly docs?: string;
  /**
   * Where other instances reach this one that share the `store`: each of them serves all workspaces, and each workspace is in the
   * memory of one of them (OP-207). Left out, this process has all workspaces to itself.
   */
  readonly share?: ShareAddress;
  /** How many workspaces there can be, the demo workspace included; left out, 100, and 10,000 with a `store` (OP-63). */
  readonly workspaces?: number;
  /** How many of them the token of any but the demo workspace can have created; left out, 10 (OP-230). */
  readonly maxCreatedWorkspaces?: number;
  /** With `share`: how many of them an instance has in memory, the demo workspace included. Default: 1,000 (OP-212). */
  readonly maxLoaded?: number;
  /** How many bytes of data a workspace may hold, as JSON; left out, 256 MiB (OP-229). */
  readonly maxWorkspaceBytes?: number;
  /** With `share`: after how long without a call a workspace leaves memory, in real milliseconds. Default: five minutes (OP-211). */
  readonly idleMilliseconds?: number;
  /** Called with the span of each call between parties, vendor attempt and job when it ends. */
  readonly onSpan?: OnSpan;
  /** How many calls can be in service, where it is not the usual number (OP-83). */
  readonly mostInService?: number;
  /** Where whoever runs it asks whether it lives and takes calls, and for measurements; left out, nowhere (OP-217). */
  readonly operations?: OperationsAddress;
  /** Is told of each call that is over (OP-219). */
  readonly onCall?: (call: ObservedCall) => void;
  /** How many writes to the log have failed so far, for the measurements. */
  readonly logWriteFailures?: () => number;
  /**
   * How long an end waits for calls and due work under way, in real milliseconds; left out, 8 s. Then they are cut off.
   */
  readonly stopMilliseconds?: number;
  /** Is told of a reply that breaks the contract; the caller gets a 500. */
  readonly onViolation?: (violation: Violation) => void;
  /** Is told what an operator should know. */
  readonly warn?: (message: string) => void;
}
