import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractNames, interfaceContracts } from '../../sandbox/apis/registry.ts';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Copies the files that compiled code reads at run time: bundles, contracts, requirements, tables and page assets. */
export function copyBundles(dist: string): void {
  for (const api of contractNames) {
    mkdirSync(join(dist, 'generated', api), { recursive: true });
    copyFileSync(source(`generated/${api}/bundle.json`), join(dist, 'generated', api, 'bundle.json'));
  }
  for (const api of interfaceContracts) {
    copyFileSync(source(`generated/${api}/interface.json`), join(dist, 'generated', api, 'interface.json'));
  }
  // `init` copies these files into servers that generate their models.
  for (const api of ['client', 'v2-client']) {
    copyFileSync(source(`generated/${api}/generators.json`), join(dist, 'generated', api, 'generators.json'));
  }
  for (const folder of ['sandbox/sites/assets', 'generated/dashboard/browser']) {
    cpSync(source(folder), join(dist, folder), { recursive: true });
  }
  const requirements = 'sandbox/certification/requirements';
  cpSync(source(requirements), join(dist, requirements), { recursive: true });
  const migrations = 'sandbox/cluster/postgres/migrations';
  cpSync(source(migrations), join(dist, migrations), { recursive: true });
  // The proxy and the traffic check report line numbers of the contracts.
  cpSync(source('openapi'), join(dist, 'openapi'), {
    recursive: true,
    filter: (path) => path.endsWith('.yaml') || !/\.\w+$/.test(path),
  });
  // Findings report line numbers of these files.
  mkdirSync(join(dist, 'docs'), { recursive: true });
  for (const file of ['docs/interface.md', 'docs/register.yaml']) copyFileSync(source(file), join(dist, file));
}
