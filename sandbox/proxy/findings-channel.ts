import type { FindingCollector, Report } from '../conformance/finding-collector.ts';

/** The message between a sandbox and its proxy, in both directions: the findings so far. */
export interface Found {
  readonly report: Report | undefined;
}

/** What a proxy sends to the sandbox that started it, once it listens. */
export const listening = { listening: true } as const;

export function isListening(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

/** Shortest pause between two reports. */
const pauseMilliseconds = 1000;

/** The channel to the process that started the proxy. */
export interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send(message: Found | typeof listening, sent: () => void): unknown;
}

/**
 * Reports all findings to the process that started the proxy, so that they outlive this one: at most once a second, and one
 * report at a time. It begins when that process sends the findings of an earlier proxy.
 */
export function forwardFindings(book: FindingCollector, channel: Channel): void {
  let [waiting, changed] = [false, false];
  const hand = () => {
    changed = true;
    if (waiting) return;
    [waiting, changed] = [true, false];
    channel.send({ report: book.roughReport }, () => setTimeout(again, pauseMilliseconds).unref());
  };
  const again = () => {
    waiting = false;
    if (changed) hand();
  };
  channel.on('message', (message) => {
    const { report } = message as Found;
    book.onChange = hand;
    if (report !== undefined) book.takeOver(report);
  });
}
