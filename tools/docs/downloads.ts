/** What can be downloaded: each contract as one document, and all calls as a collection. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractNames, contractsOf, interfaceContracts } from '../../sandbox/apis/registry.ts';
import { publishedSchema } from '../../sandbox/cli/certify-schema.ts';
import { certificationSchemas } from '../../sandbox/conformance/certification/input.ts';
import { readBundle } from './bundles.ts';
import { writeCatalogues } from './catalogues.ts';
import { read } from './content.ts';
import { collection } from './postman.ts';

/** Contracts whose calls code is generated for. */
const programs = contractsOf(({ calledBy }) => calledBy === 'programs');

const schemaFile = 'certify.schema.json';

const collectionFile = 'rewards-sandbox.postman_collection.json';

/** Writes the downloads into a built site. */
export function writeDownloads(site: string): void {
  const folder = join(site, 'downloads');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, collectionFile), `${JSON.stringify(collection(), null, 2)}\n`);
  writeFileSync(join(folder, schemaFile), `${JSON.stringify(publishedSchema(certificationSchemas()), null, 2)}\n`);
  writeCatalogues(folder);
  for (const api of contractNames) writeFileSync(join(folder, `${api}.json`), read(`generated/${api}/bundle.json`));
  for (const api of interfaceContracts) {
    writeFileSync(join(folder, interfaceFile(api)), read(`generated/${api}/interface.json`));
  }
  for (const api of programs) {
    writeFileSync(join(folder, generatorsFile(api)), read(`generated/${api}/generators.json`));
  }
}

/** The download of a contract without what only the sandbox promises (OP-103). */
function interfaceFile(api: string): string {
  return `${api}.interface.json`;
}

/** The download of a contract in the form that code generators take (decision 065). */
function generatorsFile(api: string): string {
  return `${api}.generators.json`;
}

/** The link to the collection. */
export function collectionInsert(): string {
  return `[${collectionFile}](/downloads/${collectionFile}){download}`;
}

/** The link to the schema of `certify.yaml`. */
export function schemaInsert(): string {
  return `[${schemaFile}](/downloads/${schemaFile}){download}`;
}

/** The links to the contracts. */
export function contractsInsert(): string {
  const rows = contractNames.map((api) => {
    const { title, version } = readBundle(api).info;
    const link = (file: string) => `[${file}](/downloads/${file}){download}`;
    const simple = programs.some((name) => name === api) ? link(generatorsFile(api)) : '';
    const wide = interfaceContracts.some((name) => name === api) ? link(interfaceFile(api)) : '';
    return `| [${title}](/reference/${api}) | ${simple} | ${wide} | ${link(`${api}.json`)} | ${version} |`;
  });
  const head = '| Contract | For generators | The interface | The sandbox | Version |\n| --- | --- | --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}
