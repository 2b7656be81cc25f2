/** Structured logs: a line of JSON for each call, and for what an operator should know (OP-219). */
import { pino, stdTimeFunctions } from 'pino';
import { loggedAddress } from '../activity-log/entry-size.ts';
import type { LogLevel } from '../options.ts';
import type { ObservedCall } from '../runtime/observer.ts';

/** Most bytes that wait to be read; beyond that, lines are dropped and counted. */
const mostWaiting = 1024 * 1024;

/** The target of the lines: a stream that never blocks its writer. */
export interface Lines {
  write(line: string): unknown;
  /** Bytes that wait to be read. */
  readonly writableLength: number;
}

/** Writes lines without ever waiting for their reader. */
export class CallLog {
  readonly #lines: Lines;
  readonly #logger;
  #leftOut = 0;

  constructor(level: LogLevel, lines: Lines) {
    this.#lines = lines;
    this.#logger = pino(
      {
        level,
        base: null,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      { write: (line: string) => void lines.write(line) },
    );
  }

  /** A finished call: `error` if the response was 5xx, else `info`. */
  readonly call = ({ url, seconds, ...seen }: ObservedCall): void => {
    const level = (seen.status ?? 0) >= 500 ? 'error' : 'info';
    if (!this.#logger.isLevelEnabled(level) || !this.#hasRoom()) return;
    const ms = seconds === null ? null : Math.round(seconds * 1e5) / 100;
    this.#logger[level]({ ...seen, url: loggedAddress(url), ms }, 'call');
  };

  /** Something that an operator should know. */
  readonly warn = (message: string): void => {
    if (this.#hasRoom()) this.#logger.warn(message);
  };

  /** Whether a line can be written. The first one after some that could not says how many that were. */
  #hasRoom(): boolean {
    if (this.#lines.writableLength > mostWaiting) {
      this.#leftOut += 1;
      return false;
    }
    const lines = this.#leftOut;
    this.#leftOut = 0;
    // At any level: otherwise the gap in the log would not show.
    if (lines > 0) this.#logger.error({ lines }, 'lines were dropped because stderr was not read');
    return true;
  }
}
