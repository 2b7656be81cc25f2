#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that an old one gets a clear line instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 18)) {
  console.error(
    `rewards-sandbox needs Node 24.18 or newer, this is ${process.versions.node}. On Linux x64, npm ci brings one.`,
  );
  process.exit(2);
}
// Compiled code is kept in the system's temporary folder, which takes a third off later starts.
(await import('node:module')).enableCompileCache?.();
const installed = import.meta.url.includes('/node_modules/');
const beside = ['check', 'proxy', 'mock'].includes(process.argv[2] ?? '') ? 'proxy/' : '';
await import(installed ? `../dist/sandbox/${beside}cli.js` : `./${beside}cli.ts`);
