import type { FindingBook, Report } from '../conformance/finding-book.ts';

/** What goes between a sandbox and the proxy beside it, both ways: what was found. */
export interface Found {
  readonly report: Report | undefined;
}

/** How often what is found is handed on, at most. */
const pauseMilliseconds = 1000;

/** The channel to whoever started the proxy. */
export interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send(message: Found, sent: () => void): unknown;
}

/**
 * Once whoever started the proxy asks for it, by handing over what an earlier proxy had found, everything that is found
 * is handed to them, at most once a second and one report at a time, so that it outlives the process.
 */
export function handOn(book: FindingBook, channel: Channel): void {
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
