/**
 * Copies the bundles, the contracts, the requirements, and what the pages load, beside compiled code, which reads them at start. Usage:
 * `node copy-bundles.ts <folder of generated> <folder of sandbox>`.
 */
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { contractNames, interfaceContracts } from '../../sandbox/apis/registry.ts';

const source = fileURLToPath(new URL('../../generated/', import.meta.url));
const target = argv[2] ?? '';
for (const api of contractNames) {
  mkdirSync(join(target, api), { recursive: true });
  copyFileSync(join(source, api, 'bundle.json'), join(target, api, 'bundle.json'));
}
for (const api of interfaceContracts) {
  copyFileSync(join(source, api, 'interface.json'), join(target, api, 'interface.json'));
}

const assets = fileURLToPath(new URL('../../sandbox/web/assets/', import.meta.url));
cpSync(assets, join(argv[3] ?? '', 'web/assets'), { recursive: true, filter: (file) => !file.endsWith('.json') });
const requirements = 'conformance/certification/requirements';
cpSync(fileURLToPath(new URL(`../../sandbox/${requirements}/`, import.meta.url)), join(argv[3] ?? '', requirements), {
  recursive: true,
});
// The proxy and the traffic check name lines of the contracts.
const yaml = fileURLToPath(new URL('../../openapi/', import.meta.url));
cpSync(yaml, join(target, '../openapi'), {
  recursive: true,
  filter: (path) => path.endsWith('.yaml') || !/\.\w+$/.test(path),
});
