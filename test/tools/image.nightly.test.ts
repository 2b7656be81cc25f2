/** Tests the image from `examples/container/`, built by buildah on a local base image, and the quickstart in its container. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../sandbox/version.ts';
import { pack } from '../../tools/package/install.ts';
import { blocksOf, shellScript, starts } from '../harness/blocks.ts';
import { freePort } from '../harness/postgres-server.ts';
import { readdressed, shell } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';
import { buildImage, type LocalImage, missingForImages } from './local-image.ts';

const missing = missingForImages();

it(`this machine ${missing.length === 0 ? 'builds the image' : `cannot build the image without ${missing.join(', ')}`}`, () => {
  expect(missingForImages('/nowhere')).toEqual(expect.arrayContaining(['buildah', 'debootstrap', 'npm']));
});

describe.each(missing.length === 0 ? ['the image'] : [])('%s', () => {
  let folder: string;
  let image: LocalImage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-'));
    image = await buildImage(pack(folder), folder);
  }, 900_000);

  afterAll(() => rm(folder, { recursive: true, force: true }), 120_000);

  /** Starts the sandbox in a container. Resolves with its address once it is ready. */
  async function start(flags: readonly string[]): Promise<{ origin: string; child: ChildProcess }> {
    const port = String(await freePort());
    const all = [...image.configuration.Entrypoint, ...flags.map((flag) => (flag === '4010' ? port : flag)), '--json'];
    const [tool, ...args] = image.command(...all);
    const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    await once(createInterface(child.stdout), 'line');
    return { origin: `http://127.0.0.1:${port}`, child };
  }

  const execute = (...command: string[]) => {
    const [tool, ...args] = image.command(...command);
    return spawnSync(tool, args, { encoding: 'utf8' });
  };

  it('runs as user 1000, keeps its data in a volume, exposes its port, and has labels', () => {
    const { User, Volumes, ExposedPorts, Labels } = image.configuration;
    expect({ User, Volumes, ExposedPorts }).toEqual({
      User: '1000:1000',
      Volumes: { '/data': {} },
      ExposedPorts: { '4010/tcp': {} },
    });
    expect(Labels).toMatchObject({
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': '0123abc',
    });
    expect(execute('id', '-u').stdout.trim()).toBe('1000');
  });

  it('has at most 100 MB compressed', () => {
    expect(image.compressed.all).toBeLessThanOrEqual(100);
    expect(image.compressed.base).toBeLessThan(image.compressed.all);
  });

  it('its command starts a sandbox that its health check finds healthy, and no sandbox is unhealthy', async () => {
    const { origin } = await start(image.configuration.Cmd);
    expect((await fetch(`${origin}/sandbox/v1/health`)).status).toBe(200);
    const [, ...check] = image.configuration.Healthcheck.Test;
    const at = (address: string) => check.map((part) => part.replaceAll('http://127.0.0.1:4010', address));
    expect(execute(...at(origin)).status).toBe(0);
    expect(execute(...at(`http://127.0.0.1:${await freePort()}`)).status).not.toBe(0);
  });

  it('the quickstart runs against a container of it', { timeout: 120_000 }, async () => {
    // Listen on loopback, as in the quickstart, because the control API needs no token there.
    const { origin } = await start(['--port', '4010', '--data', '/data', '--no-proxy']);
    const steps = blocksOf(join(root, 'docs/guides/quickstart.md')).filter(
      (block) => block.language === 'sh' && !starts(block),
    );
    expect(steps.length).toBeGreaterThan(5);
    const outcome = await shell(readdressed(shellScript(steps), origin));
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toContain('Redeemed');
  });
});
