/** Structured logs: a line of JSON for each call, and for what an operator should know (OP-219). */
import { destination, pino, stdTimeFunctions } from 'pino';
import { maskUrl } from '../runtime/masking.ts';
import type { ObservedCall } from '../runtime/observer.ts';
import type { LogLevel } from './log-levels.ts';

/** What waits to be written, in bytes: beyond that lines are left out and counted. */
const mostWaiting = 1024 * 1024;

/** Which lines there are, and where they go to. */
export interface CallLogOptions {
  readonly level: LogLevel;
  /** The file descriptor. */
  readonly fd: number;
}

/** Writes lines without ever waiting for whoever reads them. */
export class CallLog {
  readonly #stream;
  readonly #logger;
  #leftOut = 0;

  constructor({ level, fd }: CallLogOptions) {
    this.#stream = destination({ fd, sync: false, maxLength: mostWaiting });
    this.#stream.on('drop', () => {
      this.#leftOut += 1;
    });
    // Whoever reads them may leave.
    this.#stream.on('error', () => {});
    this.#logger = pino(
      {
        level,
        base: null,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      this.#stream,
    );
  }

  /** A call that is over: `error` where it was answered 5xx, else `info`. */
  readonly call = ({ url, seconds, ...seen }: ObservedCall): void => {
    const level = (seen.status ?? 0) >= 500 ? 'error' : 'info';
    if (!this.#logger.isLevelEnabled(level)) return;
    this.#tellLeftOut();
    const ms = seconds === null ? null : Math.round(seconds * 1e5) / 100;
    this.#logger[level]({ ...seen, url: maskUrl(url), ms }, 'call');
  };

  /** Something that an operator should know. */
  readonly warn = (message: string): void => {
    this.#tellLeftOut();
    this.#logger.warn(message);
  };

  /** Writes what waits. */
  close(): void {
    this.#stream.end();
  }

  /** Says how many lines were left out, as soon as there is room again. */
  #tellLeftOut(): void {
    const lines = this.#leftOut;
    if (lines === 0) return;
    this.#leftOut = 0;
    this.#logger.warn({ lines }, 'lines were left out, since nobody read them');
  }
}
