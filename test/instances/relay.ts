/** A network between a client and a server on this machine, which can keep what the client sends and bring it later. */
import { createServer, connect as dial, type Socket } from 'node:net';

/** A relay to a port. */
export interface Relay {
  readonly port: number;
  /** From now on nothing that is sent reaches the server. What the server says still comes through. */
  readonly hold: () => void;
  /** What was kept is brought, in order, also of those who are gone. */
  readonly release: () => void;
  readonly close: () => void;
}

/** A relay to a port of 127.0.0.1, on a free port. */
export async function relayTo(port: number): Promise<Relay> {
  const lines = new Set<{ readonly near: Socket; readonly far: Socket }>();
  let held: (() => void)[] | undefined;
  /** Now, or once the network brings things again. */
  const bring = (send: () => void) => (held === undefined ? send() : void held.push(send));
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = dial({ port, host: '127.0.0.1', allowHalfOpen: true });
    const line = { near, far };
    lines.add(line);
    // A side that is gone takes the other with it, once that had all that was sent.
    near.on('data', (bytes) => bring(() => far.write(bytes)));
    near.on('end', () => bring(() => far.end()));
    near.on('error', () => bring(() => far.destroy()));
    far.on('data', (bytes) => near.write(bytes));
    far.on('end', () => near.end());
    far.on('error', () => near.destroy());
    far.on('close', () => lines.delete(line));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    hold() {
      held ??= [];
    },
    release() {
      const kept = held ?? [];
      held = undefined;
      for (const send of kept) send();
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
