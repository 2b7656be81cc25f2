/** Tests HTTPS from the command line: the TLS versions, the certificate and its files (OP-32). */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { Agent, fetch } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../../sandbox/http/x509.ts';
import { inProcess, ready, readyInProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { testSandbox } from '../harness/sandbox.ts';

/** Returns the TLS version that a single-version client negotiates, or the reason for the failure. */
function handshake(url: string, version: SecureVersion, ca: string): Promise<string | null> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(port),
      servername: 'localhost',
      ca,
      // The client accepts everything, so any refusal is the server's decision.
      minVersion: version,
      maxVersion: version,
      ciphers: 'ALL:@SECLEVEL=0',
    });
    socket.on('secureConnect', () => resolve(socket.getProtocol()));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    onTestFinished(() => void socket.destroy());
  });
}

/** Returns the server's reply to an SSL 3.0 ClientHello. The test builds it by hand because no library here supports SSL 3.0. */
function sslHello(url: string): Promise<Buffer> {
  const suites = Buffer.from('0004000a00050100', 'hex');
  const body = Buffer.concat([Buffer.from([3, 0]), Buffer.alloc(32, 7), Buffer.from([0]), suites]);
  const hello = Buffer.concat([Buffer.from([1, 0, 0, body.length]), body]);
  return new Promise((resolve, reject) => {
    const socket = connectPlain(Number(new URL(url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.on('error', reject);
    socket.write(Buffer.concat([Buffer.from([22, 3, 0, 0, hello.length]), hello]));
  });
}

/** Creates a client that trusts one certificate. */
function clientWith(ca: string) {
  const dispatcher = new Agent({ connect: { ca } });
  onTestFinished(() => dispatcher.destroy());
  return (url: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    fetch(url, { ...init, dispatcher });
}

const json = { 'content-type': 'application/json' };

it('T6: TLS 1.2 and 1.3 are accepted; SSL 3.0, TLS 1.0 and 1.1 are refused', async () => {
  const data = await temporaryFolder();
  // These options make Node accept weaker TLS. The sandbox must still refuse it.
  const env = { NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=ALL:@SECLEVEL=0' };
  const { urls } = await ready(['--https', '--data', data], env);
  const ca = await readFile(join(data, 'tls-cert.pem'), 'utf8');
  expect(await handshake(urls.sandbox, 'TLSv1.2', ca)).toBe('TLSv1.2');
  expect(await handshake(urls.sandbox, 'TLSv1.3', ca)).toBe('TLSv1.3');
  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    expect(await handshake(urls.sandbox, version, ca)).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  }
  // A fatal alert: handshake failure (0x28) or protocol version (0x46).
  expect((await sslHello(urls.sandbox)).toString('hex')).toMatch(/^150300000202(28|46)$/);
});

it('OP-32: TLS 1.2 accepts AEAD suites, and none with CBC', async () => {
  const sandbox = await testSandbox({ https: true });
  const { port } = new URL(sandbox.origin);
  const agreed = (ciphers: string) =>
    new Promise<string>((resolve) => {
      const only = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` } as const;
      const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, ...only });
      socket.on('secureConnect', () => resolve(socket.getCipher().name));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      onTestFinished(() => void socket.destroy());
    });
  for (const suite of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']) {
    expect(await agreed(`ECDHE-ECDSA-${suite}`)).toBe(`ECDHE-ECDSA-${suite}`);
  }
  for (const suite of ['AES128-SHA256', 'AES256-SHA384', 'AES128-SHA', 'AES256-SHA']) {
    expect(await agreed(`ECDHE-ECDSA-${suite}`), suite).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
  }
});

it('T5: the parties reach each other over HTTPS, and plain HTTP gets no reply', async () => {
  const data = await temporaryFolder();
  const { urls } = await readyInProcess(['--https', '--data', data, '--clock', 'frozen']);
  for (const url of Object.values(urls)) expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/);
  const call = clientWith(await readFile(join(data, 'tls-cert.pem'), 'utf8'));
  const workspace = (await (await call(`${urls.sandbox}/workspace`)).json()) as {
    credentials: { company_secret: string };
  };
  const secret = workspace.credentials.company_secret;
  const signedIn = await call(`${urls.rewards}/v1/company/auth`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ secret }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const body = JSON.stringify({ uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] });
  const headers = { ...json, authorization: token };
  const order = await call(`${urls.rewards}/v1/partner/redeemptiononskus`, { method: 'POST', headers, body });
  expect(order.status).toBe(200);
  await call(`${urls.sandbox}/clock/advance`, { method: 'POST', headers: json, body: '{"seconds":2}' });
  const { items } = (await (await call(`${urls.sandbox}/activity`)).json()) as {
    items: { kind: string; operation?: string; status?: number }[];
  };
  const out = items.filter(({ kind }) => kind === 'call_out').map(({ operation, status }) => `${operation} ${status}`);
  expect(out).toEqual([
    'getProfileAndPoints 200',
    'saveRedeemDetails 200',
    'updateRedeemStatus 200',
    'getWalletDetail 200',
  ]);
  await expect(fetch(urls.sandbox.replace('https:', 'http:'))).rejects.toThrow();
  expect((await call(`${urls.sandbox}/health`)).status).toBe(200);
});

it('the certificate is X.509 v3, for localhost, 127.0.0.1 and ::1, is stored, and its key is for the owner only', async () => {
  const data = await temporaryFolder();
  const files = [join(data, 'tls-cert.pem'), join(data, 'tls-key.pem')] as const;
  const start = async () => {
    const { stop, ended } = await readyInProcess(['--https', '--data', data]);
    stop();
    await ended;
    return Promise.all(files.map((file) => readFile(file, 'utf8')));
  };
  const [cert = '', key = ''] = await start();
  expect((await stat(files[1])).mode & 0o777).toBe(0o600);
  const certificate = new X509Certificate(cert);
  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect([certificate.ca, certificate.verify(certificate.publicKey)]).toEqual([false, true]);
  // The value 2 in field [0] denotes X.509 version 3.
  expect(certificate.raw.toString('hex')).toContain('a003020102');
  expect([certificate.subject, certificate.issuer]).toEqual(['CN=Rewards sandbox', 'CN=Rewards sandbox']);
  expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  // The extended key usage allows TLS servers only. The critical key usage allows signatures only.
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.raw.toString('hex')).toContain('0603551d0f0101ff040403020780');
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  expect((to - from) / 60_000).toBe(365 * 24 * 60 + 1);
  expect(await start()).toEqual([cert, key]);
  await writeFile(files[0], 'damaged');
  const [again = '', sameKey] = await start();
  expect(sameKey).toBe(key);
  expect(new X509Certificate(again).publicKey.equals(certificate.publicKey)).toBe(true);
});

it('a custom certificate is served, and is all that an address beyond loopback needs', async () => {
  const folder = await temporaryFolder();
  const [certFile, keyFile] = [join(folder, 'a.pem'), join(folder, 'b.pem')];
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const cert = selfSigned(privateKey, Date.now(), 1);
  await writeFile(certFile, cert);
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const args = ['--tls-cert', certFile, '--tls-key', keyFile, '--host', '0.0.0.0', '--data', join(folder, 'data')];
  const { urls } = await readyInProcess(args);
  expect((await clientWith(cert)(`${urls.sandbox}/health`)).status).toBe(200);
});

it('7: unusable files are reported in one line', async () => {
  const folder = await temporaryFolder();
  const pair = async (name: string, from: number) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const files = [join(folder, `${name}.crt`), join(folder, `${name}.key`)] as const;
    await writeFile(files[0], selfSigned(privateKey, from, 1));
    await writeFile(files[1], privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return files;
  };
  const good = await pair('good', Date.now());
  const old = await pair('old', Date.now() - 10 * 86_400_000);
  const text = join(folder, 'text');
  await writeFile(text, 'not PEM');
  await chmod(text, 0o600);
  const cases: [string, string, string][] = [
    [join(folder, 'none'), good[1], 'Cannot read'],
    [text, good[1], 'the first is not a PEM certificate.'],
    [good[0], text, 'the second is not a PEM private key without a passphrase.'],
    [good[0], old[1], 'the key does not match the certificate.'],
    [old[0], old[1], 'the certificate has expired or is not valid yet.'],
  ];
  for (const [cert, key, problem] of cases) {
    const args = ['--port', '0', '--data', join(folder, 'data'), '--tls-cert', cert, '--tls-key', key];
    const { code, stdout, stderr } = await inProcess(args).ended;
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 7, stdout: '', lines: 2 });
    expect(stderr).toContain(problem);
  }
});
