/**
 * A stand-in for a container engine: the part of Docker's API that Testcontainers needs to start one image. A container is a process of this
 * checkout with the command of the image and the environment of the container. It has no networks, volumes or images.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '../harness/folders.ts';
import { freePort } from '../harness/postgres-server.ts';
import { root } from '../harness/sources.ts';

interface Container {
  readonly id: string;
  readonly port: number;
  readonly env: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  process?: ChildProcess;
}

type Reply = readonly [status: number, body?: unknown];

const image = 'rewards-sandbox:latest';
const imageId = 'sha256:1';
const missing = (name: string): Reply => [404, { message: `The stand-in has no ${name}` }];

export interface EngineStandIn {
  /** The value of `DOCKER_HOST`. */
  readonly host: string;
  /** The number of removed containers. */
  readonly removed: () => number;
  readonly close: () => void;
}

/** The flags after `CMD` in the Dockerfile. */
async function imageCommand(): Promise<readonly string[]> {
  const dockerfile = await readFile(join(root, 'examples/container/Dockerfile'), 'utf8');
  return JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');
}

export async function startEngineStandIn(): Promise<EngineStandIn> {
  const containers = new Map<string, Container>();
  const command = await imageCommand();
  const data = await temporaryFolder();
  let removed = 0;

  const create = async (_: string, body: string): Promise<Reply> => {
    const { Env = [], Labels = {} } = JSON.parse(body);
    const id = randomBytes(32).toString('hex');
    containers.set(id, { id, port: await freePort(), env: Env, labels: Labels });
    return [201, { Id: id, Warnings: [] }];
  };
  const start = (id: string): Reply => {
    const container = containers.get(id);
    if (container === undefined) return missing(id);
    const replaced: Readonly<Record<string, string>> = { '4010': String(container.port), '/data': join(data, id) };
    const flags = command.map((flag) => replaced[flag] ?? flag);
    const env = { PATH: process.env.PATH, ...Object.fromEntries(container.env.map((one) => one.split(/=(.*)/s))) };
    container.process = spawn(process.execPath, [join(root, 'sandbox/bin.js'), ...flags], { env, stdio: 'ignore' });
    return [204];
  };
  const inspect = (id: string): Reply => {
    const container = containers.get(id);
    return container === undefined ? missing(id) : [200, inspected(container)];
  };
  const stop = async (id: string): Promise<Reply> => {
    await end(containers.get(id));
    return [204];
  };
  const remove = async (id: string): Promise<Reply> => {
    await end(containers.get(id));
    removed += containers.delete(id) ? 1 : 0;
    return [204];
  };
  const routes: readonly [method: string, path: RegExp, reply: (id: string, body: string) => Promise<Reply> | Reply][] =
    [
      ['GET', /^\/_ping$/, () => [200, 'OK']],
      ['GET', /^\/info$/, () => [200, { ServerVersion: '28.0.0', OperatingSystem: 'stand-in', MemTotal: 2 ** 33 }]],
      ['GET', /^\/version$/, () => [200, { Version: '28.0.0', ApiVersion: '1.48', Os: 'linux', Arch: 'amd64' }]],
      ['GET', /^\/images\/json$/, () => [200, [{ Id: imageId, RepoTags: [image], Created: 0 }]]],
      [
        'GET',
        /^\/images\/(.+)\/json$/,
        (name) => (name === image ? [200, { Id: imageId, Config: {} }] : missing(name)),
      ],
      ['GET', /^\/networks\/(.+)$/, (name) => [200, { Id: name, Name: name, IPAM: { Config: [] } }]],
      ['GET', /^\/containers\/json$/, () => [200, []]],
      ['POST', /^\/containers\/create$/, create],
      ['POST', /^\/containers\/(\w+)\/start$/, start],
      ['GET', /^\/containers\/(\w+)\/json$/, inspect],
      ['GET', /^\/containers\/(\w+)\/logs$/, () => [200]],
      ['POST', /^\/containers\/(\w+)\/(?:stop|kill)$/, stop],
      ['DELETE', /^\/containers\/(\w+)$/, remove],
    ];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url ?? '')
      .replace(/^\/v[\d.]+/, '')
      .replace(/\?.*/s, '');
    const body = await text(request);
    for (const [method, pattern, answer] of routes) {
      const match = pattern.exec(path);
      if (method !== request.method || match === null) continue;
      const [status, content] = await answer(match[1] ?? '', body);
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content));
      return;
    }
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ message: `The stand-in has no ${request.method} ${path}` }));
  }

  const socket = join(data, 'engine.sock');
  const server = createServer((request, response) => void serve(request, response));
  await once(server.listen(socket), 'listening');
  return {
    host: `unix://${socket}`,
    removed: () => removed,
    close: () => {
      for (const { process: child } of containers.values()) child?.kill('SIGKILL');
      server.close();
      server.closeAllConnections();
    },
  };
}

async function end(container?: Container): Promise<void> {
  const child = container?.process;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function inspected({ id, port, env, labels, process: child }: Container): object {
  const running = child !== undefined && child.exitCode === null && child.signalCode === null;
  const now = new Date().toISOString();
  return {
    Id: id,
    Name: `/${id.slice(0, 12)}`,
    Created: now,
    Config: { Hostname: id.slice(0, 12), Env: env, Labels: labels, ExposedPorts: { '4010/tcp': {} } },
    HostConfig: { PortBindings: { '4010/tcp': [{ HostIp: '', HostPort: '' }] }, NetworkMode: 'bridge' },
    State: {
      Status: running ? 'running' : 'exited',
      Running: running,
      StartedAt: now,
      FinishedAt: '0001-01-01T00:00:00Z',
      ExitCode: child?.exitCode ?? 0,
    },
    NetworkSettings: { Ports: { '4010/tcp': [{ HostIp: '0.0.0.0', HostPort: String(port) }] }, Networks: {} },
  };
}
