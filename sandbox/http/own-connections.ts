import { type Duplex, duplexPair } from 'node:stream';

/**
 * Connections of the sandbox to itself. They stay in memory: nobody else can open one, and they need no descriptor, no
 * port and no place below the connection limit, so the calls of others never leave an order without its own (OP-82).
 */
export class OwnConnections {
  /** The ends at which the sandbox serves itself. */
  readonly served = new WeakSet<object>();

  /** Opens one. Returns its two ends, each of which closes with the other. */
  open(): { readonly served: Duplex; readonly calling: Duplex } {
    const [served, calling] = duplexPair();
    inTurn(calling);
    served.once('close', () => calling.destroy());
    calling.once('close', () => served.destroy());
    const resetAndDestroy = () => {
      calling.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      served.destroy();
    };
    this.served.add(served);
    return { served: Object.assign(served, { remoteAddress: '127.0.0.1', remotePort: 0, resetAndDestroy }), calling };
  }
}

/** Lets the calls of others have their turn before each piece that is sent. An order would hold them up to its end. */
function inTurn(stream: Duplex): void {
  const write = stream._write.bind(stream);
  stream._write = (piece, encoding, done) =>
    void setImmediate(() => (stream.destroyed ? done() : write(piece, encoding, done)));
}
