import type { Exchange } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';
import type { Weight } from '../contract/basis.ts';
import type { Limits } from './proxy-server.ts';
import type { SecondOpinion } from './second-opinion.ts';

/** The servers behind the proxy, where it is not the sandbox that answers. */
export type Upstreams = Readonly<Partial<{ [server in Exchange['server']]: URL }>>;

/** What the proxy is started with. */
export interface ProxyOptions {
  readonly host: string;
  readonly port: number;
  readonly mode: 'report' | 'enforce';
  /** The weight of findings from which on mode `enforce` refuses a message; errors where it is not said. */
  readonly failOn?: Weight;
  /** Where each API is, and where webhooks go; the sandbox where it is not said. */
  readonly upstreams: Upstreams;
  readonly sandbox: URL;
  /** The sandbox's own certificate, in PEM. */
  readonly sandboxCertificate?: string;
  /** Longest wait for the head of a reply, and for the next piece of either body. */
  readonly replyMilliseconds: number;
  /**
   * Authorizes calls that the proxy answers itself. Without it, only this machine may make them, while no other can reach the
   * proxy (OP-65).
   */
  readonly adminToken?: string;
  /** Names that calls may be addressed to, besides those of this machine and IP addresses (OP-77). */
  readonly allowedHosts?: readonly string[];
  /** What callers may take of it, where it is not the usual. */
  readonly limits?: Partial<Limits>;
  /** Prism, which validates each exchange too. Without it, there is no second opinion. */
  readonly secondOpinion?: SecondOpinion | undefined;
  /** Milliseconds of a monotonic clock. Without it, rules about the order of calls cannot be checked. */
  readonly now?: () => number;
  /** Called with each finding that is the first of its kind. */
  readonly onFinding?: (finding: Finding) => void;
}
