#!/usr/bin/env node
// Plain JavaScript that every Node version can parse, so that old versions print a clear message instead of a syntax
// error.
const installed = import.meta.url.includes('/node_modules/');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// A checkout always includes Prism, which needs a newer Node.
const [leastMajor, leastMinor] = installed ? [22, 19] : [24, 18];
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const where = installed ? 'Install one from https://nodejs.org.' : 'On Linux x64, npm ci brings one.';
  const least = `${leastMajor}.${leastMinor}`;
  console.error(`rewards-sandbox needs Node ${least} or newer, this is ${process.versions.node}. ${where}`);
  process.exit(2);
}
const load = (name) => import(installed ? `../dist/sandbox/${name}.js` : `./${name}.ts`);
// Caching compiled code makes later starts a third faster.
const { compileCacheFolder } = await import('./cli/compile-cache.js');
const folder = compileCacheFolder(process.env.XDG_CACHE_HOME, process.getuid?.());
if (folder !== undefined) (await import('node:module')).enableCompileCache(folder);
const { main, processIo } = await load('cli/main');
process.exitCode = await main(processIo(process.argv.slice(2)));
