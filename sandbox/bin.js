#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that an old one gets a clear line instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 18)) {
  console.error(
    `rewards-sandbox needs Node 24.18 or newer, this is ${process.versions.node}. On Linux x64, npm ci brings one.`,
  );
  process.exit(2);
}
const installed = import.meta.url.includes('/node_modules/');
const load = (name) => import(installed ? `../dist/sandbox/${name}.js` : `./${name}.ts`);
// Compiled code is kept for later starts, which takes a third off them.
const { compileCacheFolder } = await import('./cli/compile-cache.js');
const folder = compileCacheFolder(process.env.XDG_CACHE_HOME, process.getuid?.());
if (folder !== undefined) (await import('node:module')).enableCompileCache(folder);
const commands = {
  check: 'cli/proxy',
  proxy: 'cli/proxy',
  mock: 'cli/proxy',
  certify: 'cli/certify',
  certificate: 'cli/certificate',
  init: 'cli/init',
};
const name = process.argv[2] ?? '';
await load(Object.hasOwn(commands, name) ? commands[name] : 'cli/start');
