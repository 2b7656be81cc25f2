/** Which versions of TLS a server agrees on. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** Milliseconds for one handshake. */
const mostMs = 3000;

/** A version below 1.2 that the server at an https address agrees on; undefined where there is none. */
export function oldTlsVersion(address: string): Promise<string | undefined> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
    // Whose certificate it is, is another question.
    rejectUnauthorized: false,
    timeout: mostMs,
  });
  socket.on('secureConnect', () => resolve(socket.getProtocol() ?? 'a version below TLS 1.2'));
  socket.on('error', () => resolve(undefined));
  socket.on('timeout', () => resolve(undefined));
  return promise.finally(() => socket.destroy());
}
