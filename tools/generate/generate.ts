/**
 * Writes `generated/` from the contracts: a bundle, a type module and a typed client for each API, and one index. All
 * of these include the promises that only the sandbox makes (`openapi/overlays/`). For the contracts of the interface,
 * `interface.json` is the bundle without these promises (decision 053). For APIs that programs call, `generators.json`
 * is in a form that code generators accept (decision 053). Also writes `docs/magic-values.md` from the table of magic
 * values. Stops if a schema does not compile.
 *
 * Usage: `node tools/generate/generate.ts [--check]`. With `--check`, writes nothing and exits with code 1 if a file in
 * `generated/` is missing, stale or left over.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
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

/**
 * Contracts that programs call. They share schemas with the interface contracts and use all overlays. Contracts for
 * pages use only the `closed` and `limits` overlays.
 */
const programs = contractsOf(({ calledBy }) => calledBy === 'programs');
const pages = contractNames.filter((name) => !(programs as readonly string[]).includes(name));

/** Returns all generated files, keyed by path under `generated/`. */
async function files(): Promise<Map<string, string>> {
  const written = new Map<string, string>();
  const write = (name: string, bundles: Bundles) => {
    for (const [api, bundle] of bundles) {
      compileSchemas(contract(api, bundle as never));
      written.set(`${api}/${name}`, asText(bundle));
    }
  };
  const plain = bundled(programs);
  const ofInterface = new Map([...plain].filter(([api]) => (interfaceContracts as readonly string[]).includes(api)));
  // Apply the overlays in sequence, so that each can change content from earlier ones.
  const promised = ['replies', 'closed', 'limits'].reduce(laidOver, plain);
  const ours = new Map([...promised, ...['closed', 'limits'].reduce(laidOver, bundled(pages))]);
  write('interface.json', ofInterface);
  write('bundle.json', ours);
  const forGenerators = programs.map((api) => [api, ofInterface.get(api) ?? ours.get(api)] as [string, OpenAPI3]);
  write('generators.json', laidOver(new Map(forGenerators), 'generators'));
  for (const [api, bundle] of ours) {
    const ast = await openapiTS(bundle, { alphabetize: false, defaultNonNullable: false });
    written.set(`${api}/types.ts`, notice + astToString(ast));
    written.set(`${api}/client.ts`, notice + clientModule(api, bundle));
  }
  written.set('tokens.ts', notice + readFileSync(new URL('tokens.ts', import.meta.url), 'utf8'));
  written.set('index.ts', notice + indexModule());
  written.set('../docs/magic-values.md', magicPage());
  return written;
}

/** Contracts by name, each as a single document. */
type Bundles = ReadonlyMap<string, OpenAPI3>;

/** Bundles the contracts unchanged. References into other files are resolved, and references within a file remain. */
function bundled(apis: readonly string[]): Bundles {
  return redocly(apis.map((api) => `openapi/${api}.yaml`));
}

/** Returns the bundles with an overlay applied. */
function laidOver(bundles: Bundles, overlay: string): Bundles {
  return inFolder((folder) => {
    const files = [...bundles].map(([api, bundle]) => {
      const file = join(folder, `${api}.json`);
      writeFileSync(file, JSON.stringify(bundle));
      return file;
    });
    return redocly(files, '--overlay', `openapi/overlays/${overlay}.yaml`, '--remove-unused-components');
  });
}

/** Bundles two or more files. */
function redocly(files: readonly string[], ...options: readonly string[]): Bundles {
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  return inFolder((folder) => {
    execFileSync(execPath, [cli, 'bundle', ...files, '--ext', 'json', '-o', folder, ...options], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const names = files.map((file) => parse(file).name);
    return new Map(names.map((name) => [name, JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))]));
  });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function asText(bundle: OpenAPI3): string {
  return `${JSON.stringify(bundle, null, 1)}\n`;
}

/** The output folder of `npm run dashboard`, which is not in the repository. */
const dashboard = join('dashboard', 'browser');

function present(): string[] {
  return readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
    .filter((path) => !path.startsWith(dashboard));
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
