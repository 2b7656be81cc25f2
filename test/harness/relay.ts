/** A network between a client and a server on this machine, which can keep what either of them sends and bring it later. */
import { createServer, connect as dial, type Socket } from 'node:net';

/** A relay to a port. */
export interface Relay {
  readonly port: number;
  /** From now on nothing that is sent reaches the server. What the server says still comes through. */
  readonly hold: () => void;
  /** From now on nothing that the server says reaches the client. What the client sends still comes through. */
  readonly holdReplies: () => void;
  /** What was kept is brought, in order, also of those who are gone. */
  readonly release: () => void;
  readonly close: () => void;
}

/** A relay to a port of 127.0.0.1, on a free port. */
export async function relayTo(port: number): Promise<Relay> {
  const lines = new Set<{ readonly near: Socket; readonly far: Socket }>();
  const requests = new Lane();
  const replies = new Lane();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = dial({ port, host: '127.0.0.1', allowHalfOpen: true });
    const line = { near, far };
    lines.add(line);
    // A side that is gone takes the other with it, once that had all that was sent. The server is not cut off but told that nothing more
    // comes: PostgreSQL drops statements that it has received once it finds its client gone.
    near.on('data', (bytes) => requests.bring(() => far.write(bytes)));
    near.on('end', () => requests.bring(() => far.end()));
    near.on('error', () => requests.bring(() => far.end()));
    far.on('data', (bytes) => replies.bring(() => near.write(bytes)));
    far.on('end', () => replies.bring(() => near.end()));
    far.on('error', () => replies.bring(() => near.destroy()));
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
  #held: (() => void)[] | undefined;

  /** Sends now, or once the lane is released. */
  bring(send: () => void): void {
    if (this.#held === undefined) send();
    else this.#held.push(send);
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of held) send();
  }
}
