#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that an old one gets a clear line instead of a syntax error.
const installed = import.meta.url.includes('/node_modules/');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 18)) {
  const where = installed ? 'Install one from https://nodejs.org.' : 'On Linux x64, npm ci brings one.';
  console.error(`rewards-sandbox needs Node 24.18 or newer, this is ${process.versions.node}. ${where}`);
  process.exit(2);
}
const load = (name) => import(installed ? `../dist/sandbox/${name}.js` : `./${name}.ts`);
// Compiled code is kept for later starts, which takes a third off them.
const { compileCacheFolder } = await import('./cli/compile-cache.js');
const folder = compileCacheFolder(process.env.XDG_CACHE_HOME, process.getuid?.());
if (folder !== undefined) (await import('node:module')).enableCompileCache(folder);
const commands = {
  start: 'cli/start',
  check: 'cli/proxy',
  proxy: 'cli/proxy',
  mock: 'cli/proxy',
  workflows: 'cli/workflows',
  certify: 'cli/certify',
  certificate: 'cli/certificate',
  init: 'cli/init',
  export: 'cli/backup',
  import: 'cli/backup',
  completion: 'cli/completion',
  mcp: 'cli/mcp',
  workspaces: 'cli/workspaces',
};
// `help check` is `check --help`, and `help` alone, or of itself, `--help`.
if (process.argv[2] === 'help') {
  const of = process.argv.slice(3, 4).filter((name) => name !== 'help');
  process.argv.splice(2, 2, ...of, '--help');
}
// A start is what is done where nothing is said.
if (process.argv[2] === 'start') process.argv.splice(2, 1);
const name = process.argv[2] ?? '';
if (Object.hasOwn(commands, name)) await load(commands[name]);
else if (name === '' || name.startsWith('-')) await load(commands.start);
else process.exitCode = (await load('cli/unknown-command')).refuse(name, Object.keys(commands));
