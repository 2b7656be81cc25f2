/** What can be downloaded: each contract as one document, and all calls as a collection. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractNames, interfaceContracts } from '../../sandbox/apis/registry.ts';
import { readBundle } from './bundles.ts';
import { read } from './content.ts';
import { collection } from './postman.ts';

const collectionFile = 'rewards-sandbox.postman_collection.json';

/** Writes the downloads into a built site. */
export function writeDownloads(site: string): void {
  const folder = join(site, 'downloads');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, collectionFile), `${JSON.stringify(collection(), null, 2)}\n`);
  for (const api of contractNames) writeFileSync(join(folder, `${api}.json`), read(`generated/${api}/bundle.json`));
  for (const api of interfaceContracts) {
    writeFileSync(join(folder, interfaceFile(api)), read(`generated/${api}/interface.json`));
  }
}

/** The download of a contract without what only the sandbox promises (OP-103). */
function interfaceFile(api: string): string {
  return `${api}.interface.json`;
}

/** The link to the collection. */
export function collectionInsert(): string {
  return `[${collectionFile}](/downloads/${collectionFile}){download}`;
}

/** The links to the contracts. */
export function contractsInsert(): string {
  const rows = contractNames.map((api) => {
    const { title, version } = readBundle(api).info;
    const ofInterface = interfaceContracts.some((name) => name === api);
    const wide = ofInterface ? `[${interfaceFile(api)}](/downloads/${interfaceFile(api)}){download}` : '';
    const ours = `[${api}.json](/downloads/${api}.json){download}`;
    return `| [${title}](/reference/${api}) | ${wide} | ${ours} | ${version} |`;
  });
  return `| Contract | The interface | The sandbox | Version |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}
