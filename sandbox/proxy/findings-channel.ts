import type { FindingCollector, Report } from '../conformance/finding-collector.ts';

/** A message between a sandbox and its proxy, in either direction, with the findings so far. */
export interface Found {
  readonly report: Report | undefined;
}

/** The message from a proxy to the sandbox that started it, sent once the proxy listens. */
export const listening = { listening: true } as const;

export function isListening(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'listening' in message;
}

/** Minimum time between two reports, in milliseconds. */
const pauseMilliseconds = 1000;

/** The channel to the process that started the proxy. */
export interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send(message: Found | typeof listening, sent: () => void): unknown;
}

/**
 * Reports all findings to the process that started the proxy, so that they outlive the proxy. Sends one report at a
 * time, and at most one per second. Starts when that process sends the findings of an earlier proxy.
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
