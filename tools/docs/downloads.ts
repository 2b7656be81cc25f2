/** Downloads: each contract as a single document, and all calls as collections. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractNames, contractsOf, interfaceContracts } from '../../sandbox/apis/registry.ts';
import { certificationSchemas } from '../../sandbox/certification/input.ts';
import { fileSchemas, publishedSchema } from '../../sandbox/cli/certify-schema.ts';
import { verdictSchemas } from '../../sandbox/cli/verdict.ts';
import { readBundle, referenced } from './bundles.ts';
import { writeCatalogues } from './catalogues.ts';
import { brunoArchive } from './collections/bruno.ts';
import { httpFile } from './collections/http-file.ts';
import { collection } from './collections/postman.ts';
import { testPlan } from './collections/test-plan.ts';
import { read } from './content.ts';

/** Contracts of the APIs that programs call. Their downloads include a form for code generators. */
const programs = contractsOf(({ calledBy }) => calledBy === 'programs');

const answersFile = 'answers.schema.json';

/** Schemas of configuration files, by download name. */
const schemas = {
  'certify.schema.json': () =>
    publishedSchema(
      fileSchemas(certificationSchemas()),
      'CertifyFile',
      'certify.yaml',
      'Configuration file of `rewards-sandbox certify --config`. Flags override it.',
    ),
  'ci.schema.json': () =>
    publishedSchema(
      verdictSchemas,
      'VerdictFile',
      'ci.yaml',
      'Configuration file of `rewards-sandbox verdict --config`.',
    ),
  [answersFile]: publishedAnswers,
} as const;

/** Collections of all calls and of the test plan, with the tools that read each file. */
const collections = [
  {
    name: 'rewards-sandbox.postman_collection.json',
    tools: 'Postman, Insomnia, Hoppscotch, newman',
    content: () => `${JSON.stringify(collection())}\n`,
  },
  { name: 'rewards-sandbox.bruno.zip', tools: 'Bruno, and `bru` on the command line', content: brunoArchive },
  {
    name: 'rewards-sandbox.http',
    tools:
      'IDEs of JetBrains (IntelliJ IDEA, PhpStorm, Rider, GoLand, PyCharm, WebStorm), httpYac (VS Code, command line)',
    content: httpFile,
  },
  {
    name: 'rewards-sandbox-test-plan.postman_collection.json',
    tools: 'the [test plan](/test-plan), in Postman, Insomnia, Hoppscotch or newman',
    content: () => `${JSON.stringify(collection(testPlan(), []))}\n`,
  },
] as const;

/** Writes the downloads into a built site. */
export function writeDownloads(site: string): void {
  const folder = join(site, 'downloads');
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of collections) writeFileSync(join(folder, name), content());
  for (const [name, schema] of Object.entries(schemas))
    writeFileSync(join(folder, name), `${JSON.stringify(schema(), null, 2)}\n`);
  writeCatalogues(folder);
  for (const api of contractNames) writeFileSync(join(folder, `${api}.json`), read(`generated/${api}/bundle.json`));
  for (const api of interfaceContracts) {
    writeFileSync(join(folder, interfaceFile(api)), read(`generated/${api}/interface.json`));
  }
  for (const api of programs) {
    writeFileSync(join(folder, generatorsFile(api)), read(`generated/${api}/generators.json`));
  }
}

/** Returns the download name of a contract without the promises that only the sandbox makes (OP-103). */
function interfaceFile(api: string): string {
  return `${api}.interface.json`;
}

/** Returns the download name of a contract in the form for code generators (decision 053). */
function generatorsFile(api: string): string {
  return `${api}.generators.json`;
}

/** Returns a table of links to the collections. */
export function collectionsInsert(): string {
  const rows = collections.map(({ name, tools }) => `| [${name}](/downloads/${name}){download} | ${tools} |`);
  return `| File | For |\n| --- | --- |\n${rows.join('\n')}`;
}

/** Returns links to the schemas of the configuration files. */
export function schemaInsert(): string {
  return Object.keys(schemas)
    .map((file) => `[${file}](/downloads/${file}){download}`)
    .join(', ');
}

/** Returns a link to the schema of `answers.yaml`. */
export function answersSchemaInsert(): string {
  return `[${answersFile}](/downloads/${answersFile}){download}`;
}

/** Returns the schema of `answers.yaml` as a single document for editors. */
function publishedAnswers(): unknown {
  const { Answers, Answer, AnswerWord } = (readBundle('sandbox') as unknown as Bundled).components.schemas;
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'answers.yaml' };
  const text = JSON.stringify({ ...schema, ...Answers, $defs: { Answer, AnswerWord } }, (key, value) =>
    key.startsWith('x-') ? undefined : value,
  );
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
}

interface Bundled {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Returns a table of links to the contracts. */
export function contractsInsert(): string {
  const rows = contractNames.map((api) => {
    const { title, version } = readBundle(api).info;
    const link = (file: string) => `[${file}](/downloads/${file}){download}`;
    const simple = programs.some((name) => name === api) ? link(generatorsFile(api)) : '';
    const wide = interfaceContracts.some((name) => name === api) ? link(interfaceFile(api)) : '';
    const name = referenced.includes(api) ? `[${title}](/reference/${api})` : title;
    return `| ${name} | ${simple} | ${wide} | ${link(`${api}.json`)} | ${version} |`;
  });
  const head = '| Contract | For generators | The interface | The sandbox | Version |\n| --- | --- | --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}
