/** Simulates a network between a local client and server. It can hold back traffic in either direction and deliver it later. */
import { createServer, connect as dial, type Socket } from 'node:net';

/** A relay to a port. */
export interface Relay {
  readonly port: number;
  /** Stops delivering requests to the server. Replies still reach the client. */
  readonly hold: () => void;
  /** Stops delivering replies to the client. Requests still reach the server. */
  readonly holdReplies: () => void;
  /** Delivers all held traffic in order, even from closed connections. */
  readonly release: () => void;
  readonly close: () => void;
}

/** Starts a relay on a free port to a port of 127.0.0.1. */
export async function relayTo(port: number): Promise<Relay> {
  const lines = new Set<{ readonly near: Socket; readonly far: Socket }>();
  const requests = new Lane();
  const replies = new Lane();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = dial({ port, host: '127.0.0.1', allowHalfOpen: true });
    const line = { near, far };
    lines.add(line);
    // When one side closes, the relay closes the other after delivering all its data.
    // The server receives an end of input, because a reset would make PostgreSQL drop the statements that it has received.
    near.on('data', (bytes) => requests.deliver(() => far.write(bytes)));
    near.on('end', () => requests.deliver(() => far.end()));
    near.on('error', () => requests.deliver(() => far.end()));
    far.on('data', (bytes) => replies.deliver(() => near.write(bytes)));
    far.on('end', () => replies.deliver(() => near.end()));
    far.on('error', () => replies.deliver(() => near.destroy()));
    far.on('close', () => lines.delete(line));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    hold: () => requests.hold(),
    holdReplies: () => replies.hold(),
    release() {
      requests.release();
      replies.release();
    },
    close() {
      server.close();
      for (const { near, far } of lines) {
        near.destroy();
        far.destroy();
      }
    },
  };
}

/** One direction of the network. */
class Lane {
  #queue: (() => void)[] | undefined;

  /** Sends immediately, or once the lane is released. */
  deliver(send: () => void): void {
    if (this.#queue === undefined) send();
    else this.#queue.push(send);
  }

  hold(): void {
    this.#queue ??= [];
  }

  release(): void {
    const queue = this.#queue ?? [];
    this.#queue = undefined;
    for (const send of queue) send();
  }
}
