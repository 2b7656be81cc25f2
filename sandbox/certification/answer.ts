/** A call to the server, and what came of it. */
import type { HeaderList } from '../conformance/exchange.ts';
import type { Finding } from '../conformance/finding.ts';

/** A call as it is sent. */
export interface Call {
  readonly method: string;
  /** Below the server's address, with the query. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Buffer | undefined;
  /** The address that the path is below, where it is not that of the client's API. */
  readonly base?: string;
  /** `chunked`: the body goes in two chunks, its length untold. */
  readonly framing?: 'chunked';
  /** `persistent`: on one connection with all calls that say so, as long as the server keeps it. */
  readonly connection?: 'persistent';
}

/** What came of a call. */
export interface Answer {
  readonly call: Call;
  /** Undefined where no reply came. */
  readonly status: number | undefined;
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** The body as JSON; undefined where it is none. */
  readonly json: unknown;
  /** Why no whole reply came. */
  readonly problem: 'timeout' | 'too_large' | 'unreachable' | 'broken' | undefined;
  /** What `problem` says in the words of the machine. */
  readonly detail: string | undefined;
  /** What the judge found in the reply. */
  readonly findings: readonly Finding[];
}
