/** Simulates two hosts with network namespaces, connected by a virtual cable. Needs root and `ip` from iproute2. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { pid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });
let pairs = 0;

/** The addresses of the server and the stranger. */
export const addresses = { server: '10.99.0.1', stranger: '10.99.0.2' } as const;

/** Creates the two hosts, and removes them after the test. Throws if the machine does not support namespaces. */
export function network() {
  pairs += 1;
  const [server, stranger] = ['a', 'b'].map((side) => `rs${pid}-${pairs}${side}`) as [string, string];
  onTestFinished(() => {
    for (const name of [server, stranger]) ip('netns', 'del', name);
  });
  for (const name of [server, stranger]) ip('netns', 'add', name);
  ip('link', 'add', `${server}v`, 'netns', server, 'type', 'veth', 'peer', 'name', `${stranger}v`, 'netns', stranger);
  const sides = [
    [server, addresses.server],
    [stranger, addresses.stranger],
  ] as const;
  for (const [name, address] of sides) {
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', `${name}v`);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    ip('-n', name, 'link', 'set', `${name}v`, 'up');
  }
  return {
    /** Defines a host name for the stranger on the server, as container networks do. */
    nameStranger: (name: string) => {
      const folder = `/etc/netns/${server}`;
      mkdirSync(folder, { recursive: true });
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(`${folder}/hosts`, `127.0.0.1 localhost\n${addresses.stranger} ${name}\n`);
    },
    /** Starts a Node program on the stranger. Resolves once the program prints something. */
    program: (code: string, env: NodeJS.ProcessEnv) => program(stranger, code, env),
    /** Starts the command on the server. Resolves with the JSON line that it prints. */
    serve: (args: readonly string[], env: NodeJS.ProcessEnv = {}) => started(server, args, env),
    /** Starts the command on either host, and stops it after the test. */
    run: (on: 'server' | 'stranger', args: readonly string[]) => run(on === 'server' ? server : stranger, args),
    /** Sends a call from either host and returns the reply. */
    ask: (from: 'server' | 'stranger', call: Call) => ask(from === 'server' ? server : stranger, call),
  };
}

export interface Call {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function program(host: string, code: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['netns', 'exec', host, process.execPath, '--input-type=module', '-e', code];
  const child = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  onTestFinished(() => {
    child.kill('SIGKILL');
    return new Promise<void>((ended) => (child.exitCode === null ? child.once('exit', () => ended()) : ended()));
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
}

function started(
  host: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ urls: Record<string, string>; proxy?: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ urls: Record<string, string>; proxy?: string }>();
  const child = spawn('ip', ['netns', 'exec', host, process.execPath, bin, '--no-docs', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => {
    child.kill('SIGTERM');
    return new Promise<void>((ended) => (child.exitCode === null ? child.once('exit', () => ended()) : ended()));
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('\n')) resolve(JSON.parse(output.split('\n')[0] ?? ''));
  });
  child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  return promise;
}

/** Starts the command on a host. Returns its output, its exit and a function that sends signals. */
function run(host: string, args: readonly string[]) {
  // `ip` execs the command, so this child process is the command itself.
  const child = spawn('ip', ['netns', 'exec', host, process.execPath, bin, '--no-docs', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<{ code: number | null; stderr: string }>();
  let stderr = '';
  child.stdout.once('data', () => ready.resolve());
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.once('close', (code) => {
    ended.resolve({ code, stderr });
    ready.reject(new Error(`it ended with ${code}: ${stderr}`));
  });
  // A caller that waits only for the exit does not handle a failed start.
  ready.promise.catch(() => undefined);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended.promise;
  });
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return { ready: ready.promise, ended: ended.promise, pid: () => child.pid, signal };
}

/** Sends a call from a separate process, because each process belongs to exactly one host. */
function ask(host: string, call: Call): { status: number; body: string } {
  const code = `
    const { request } = require('node:http');
    const { url, method = 'GET', headers = {}, body } = JSON.parse(process.argv[1]);
    const again = (left) => request(url, { method, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      reply.on('end', () => console.log(JSON.stringify({ status: reply.statusCode, body: text })));
    }).on('error', (error) => {
      // The proxy starts with the sandbox, which does not wait for it.
      if (error.code === 'ECONNREFUSED' && left > 0) setTimeout(again, 200, left - 1);
      else throw error;
    }).end(body);
    again(100);`;
  const args = ['netns', 'exec', host, process.execPath, '-e', code, JSON.stringify(call)];
  return JSON.parse(execFileSync('ip', args, { encoding: 'utf8' }));
}
