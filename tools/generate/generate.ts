/**
 * Writes `generated/` from the contracts: for each API a bundle, a type module and a typed client, and one index. What
 * only the sandbox promises, `openapi/overlays/`, is in all of these; `interface.json` is the bundle without
 * it, for the contracts of the interface (decision 053). Also writes `docs/magic-values.md` from the table of magic
 * values. A schema that does not compile ends it.
 *
 * Usage: `node tools/generate/generate.ts [--check]`. With `--check` nothing is written, and the exit code is 1 when a
 * file in `generated/` is missing, stale or left over.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, execPath, exit, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { contractNames, contractsOf, interfaceContracts } from '../../sandbox/apis/registry.ts';
import { contract } from '../../sandbox/contract/document.ts';
import { compileSchemas } from '../../sandbox/contract/schemas.ts';
import { clientModule, indexModule } from './client-module.ts';
import { magicPage } from './magic-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = join(root, 'generated');
const notice = '/* Written by `npm run generate` from openapi/. Do not edit. */\n';

/** What programs call shares schemas with the interface, and is laid over too; pages share what they take. */
const programs = contractsOf(({ calledBy }) => calledBy === 'programs');
const pages = contractNames.filter((name) => !(programs as readonly string[]).includes(name));

/** Every generated file, by its path under `generated/`. */
async function files(): Promise<Map<string, string>> {
  const written = new Map<string, string>();
  for (const [api, bundle] of bundles(interfaceContracts)) {
    compileSchemas(contract(api, bundle as never));
    written.set(`${api}/interface.json`, asText(bundle));
  }
  const served = [...bundles(programs, ['replies', 'closed', 'limits']), ...bundles(pages, ['limits'])];
  for (const [api, bundle] of served) {
    compileSchemas(contract(api, bundle as never));
    written.set(`${api}/bundle.json`, asText(bundle));
    const ast = await openapiTS(bundle, { alphabetize: false, defaultNonNullable: false });
    written.set(`${api}/types.ts`, notice + astToString(ast));
    written.set(`${api}/client.ts`, notice + clientModule(api, bundle));
  }
  written.set('tokens.ts', notice + readFileSync(new URL('tokens.ts', import.meta.url), 'utf8'));
  written.set('index.ts', notice + indexModule());
  written.set('../docs/magic-values.md', magicPage());
  return written;
}

/** Each contract as one document, laid over: references into other files are pulled in, references within it stay. */
function bundles(apis: readonly string[], overlays: readonly string[] = []): [api: string, bundle: OpenAPI3][] {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  try {
    redocly(
      apis.map((api) => `openapi/${api}.yaml`),
      join(folder, '0'),
    );
    // One after the other: what an overlay pulls in is there for the next to change.
    for (const [done, overlay] of overlays.entries()) {
      const files = apis.map((api) => join(folder, String(done), `${api}.json`));
      const file = `openapi/overlays/${overlay}.yaml`;
      redocly(files, join(folder, String(done + 1)), '--overlay', file, '--remove-unused-components');
    }
    const last = join(folder, String(overlays.length));
    return apis.map((api) => [api, JSON.parse(readFileSync(join(last, `${api}.json`), 'utf8'))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bundles files into a folder. */
function redocly(files: readonly string[], into: string, ...options: readonly string[]): void {
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  execFileSync(execPath, [cli, 'bundle', ...files, '--ext', 'json', '-o', into, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
}

function asText(bundle: OpenAPI3): string {
  return `${JSON.stringify(bundle, null, 1)}\n`;
}

function present(): string[] {
  return readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1));
}

function read(path: string): string | undefined {
  return existsSync(join(target, path)) ? readFileSync(join(target, path), 'utf8') : undefined;
}

const wanted = await files();
mkdirSync(target, { recursive: true });
const leftOver = present().filter((path) => !wanted.has(path));
const stale = [...wanted].filter(([path, text]) => read(path) !== text).map(([path]) => path);

if (argv.includes('--check')) {
  for (const path of [...stale, ...leftOver]) stderr.write(`${join('generated', path)} does not match its source\n`);
  if (stale.length + leftOver.length > 0) {
    stderr.write('Run `npm run generate` and commit the result.\n');
    exit(1);
  }
} else {
  for (const path of leftOver) rmSync(join(target, path));
  for (const path of stale) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), wanted.get(path) ?? '');
  }
}
stderr.write(`${wanted.size} files from ${contractNames.length} contracts, ${stale.length} changed\n`);
