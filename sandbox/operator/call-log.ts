/** Structured logs: one line of JSON for each call, and for each warning to the operator (OP-219). */
import { pino, stdTimeFunctions } from 'pino';
import { loggedAddress } from '../activity-log/entry-size.ts';
import type { LogLevel } from '../options.ts';
import type { ObservedCall } from '../runtime/observer.ts';

/** Maximum number of unread bytes. Beyond it, lines are dropped and counted. */
const mostWaiting = 1024 * 1024;

/** The destination of the lines: a stream that never blocks its writer. */
export interface Lines {
  write(line: string): unknown;
  /** Number of unread bytes. */
  readonly writableLength: number;
}

/** Writes log lines without waiting for their reader. */
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

  /** Logs a finished call, at level `error` if the status was 5xx and at level `info` for any other. */
  readonly call = ({ url, seconds, ...seen }: ObservedCall): void => {
    const level = (seen.status ?? 0) >= 500 ? 'error' : 'info';
    if (!this.#logger.isLevelEnabled(level) || !this.#hasRoom()) return;
    const ms = seconds === null ? null : Math.round(seconds * 1e5) / 100;
    this.#logger[level]({ ...seen, url: loggedAddress(url), ms }, 'call');
  };

  /** Logs a warning to the operator. */
  readonly warn = (message: string): void => {
    if (this.#hasRoom()) this.#logger.warn(message);
  };

  /** Returns whether a line can be written. Before the first line after a gap, logs the number of dropped lines. */
  #hasRoom(): boolean {
    if (this.#lines.writableLength > mostWaiting) {
      this.#leftOut += 1;
      return false;
    }
    const lines = this.#leftOut;
    this.#leftOut = 0;
    // Logged as an error, so that every log level shows the gap.
    if (lines > 0) this.#logger.error({ lines }, 'lines were dropped because stderr was not read');
    return true;
  }
}
