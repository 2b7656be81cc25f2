/**
 * Tests OpenAPI Generator with clients in Java, C#, PHP and Python, and a Spring server. The code must contain every
 * operation. It must also compile if the machine has a compiler for the language.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interfaceContracts } from '../../sandbox/apis/registry.ts';
import { type PublishedContract, published } from './contracts.ts';
import { lists } from './listing.ts';
import { command, Fault, has, type Tool } from './tool.ts';

const version = '7.25.0';
const jar = `openapi-generator-cli-${version}.jar`;
const maven = ['--batch-mode', '--no-transfer-progress'];

const program = fileURLToPath(new URL('listings/List.java', import.meta.url));

/** Functions that convert an operation id to a language's naming style. */
const asGiven = (id: string) => id;
const capital = (id: string) => id.charAt(0).toUpperCase() + id.slice(1);
const snake = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Target {
  readonly generator: string;
  readonly ending: string;
  readonly nameOf: (id: string) => string;
  readonly settings?: Readonly<Record<string, string>>;
}

const targets: readonly Target[] = [
  { generator: 'java', ending: '.java', nameOf: asGiven },
  {
    generator: 'spring',
    ending: '.java',
    nameOf: asGiven,
    settings: { useSpringBoot3: 'true', interfaceOnly: 'true' },
  },
  { generator: 'csharp', ending: '.cs', nameOf: capital },
  { generator: 'php', ending: '.php', nameOf: asGiven },
  { generator: 'python', ending: '.py', nameOf: snake },
];

export const openapiGenerator: Tool = {
  name: 'openapi-generator',
  version,
  needs: ['java', 'mvn'],
  file: jar,
  async install(tools) {
    const artifact = `org.openapitools:openapi-generator-cli:${version}`;
    const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${tools}`];
    await command('mvn', [...maven, ...copy], { cwd: tools });
  },
  async run(tools, work) {
    const contracts = published();
    const folders = targets.flatMap((target) => suiting(target, contracts).map((contract) => ({ target, contract })));
    const configs = folders.map((folder) => configOf(folder, work));
    await command('java', ['-jar', join(tools, jar), 'batch', '--fail-fast', ...configs], { cwd: work });
    for (const { target, contract } of folders) allThere(target, contract, folderOf(target, contract, work));
    const compiled = [
      ...(await compileJava(contracts, work)),
      ...(await compilePython(work)),
      ...(await compilePhp(work)),
    ];
    await listInJava(work);
    const languages = targets.map(({ generator }) => generator).join(', ');
    return `${languages}, each for ${contracts.length} contracts; compiled: ${compiled.join(', ')}; one in Java signs in and lists`;
  },
};

/** Returns the contracts for a target. No server is generated for the control API, because only the sandbox implements it. */
function suiting({ generator }: Target, contracts: readonly PublishedContract[]): readonly PublishedContract[] {
  const hostedByOthers = ({ name }: PublishedContract) => interfaceContracts.some((contract) => contract === name);
  return generator === 'spring' ? contracts.filter(hostedByOthers) : contracts;
}

function folderOf({ generator }: Target, { name }: PublishedContract, work: string): string {
  return join(work, generator, name);
}

/** Writes the configuration of one generator run and returns its path. */
function configOf({ target, contract }: { target: Target; contract: PublishedContract }, work: string): string {
  const config = {
    generatorName: target.generator,
    inputSpec: contract.file,
    outputDir: folderOf(target, contract, work),
    additionalProperties: { artifactId: `${target.generator}-${contract.name}`, ...target.settings },
  };
  const file = join(work, `${target.generator}-${contract.name}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Throws unless the generated code, excluding its tests, contains every operation of the contract. */
function allThere({ generator, ending, nameOf }: Target, contract: PublishedContract, folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => name.endsWith(ending) && !/(^|[/.])test\//i.test(name));
  const code = sources.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const lost = contract.operationIds.filter((id) => !new RegExp(`\\b${nameOf(id)}(Async)?\\s*\\(`).test(code));
  if (lost.length > 0) throw new Fault(`${generator} lost operations of ${contract.name}: ${lost.join(', ')}`);
}

/** Compiles the Java clients and the Spring servers in one Maven run. */
async function compileJava(contracts: readonly PublishedContract[], work: string): Promise<string[]> {
  const modules = targets
    .filter(({ ending }) => ending === '.java')
    .flatMap((target) => suiting(target, contracts).map(({ name }) => `${target.generator}/${name}`));
  const list = modules.map((path) => `<module>${path}</module>`).join('');
  const project = '<modelVersion>4.0.0</modelVersion><groupId>all</groupId><artifactId>all</artifactId>';
  const pom = `<project>${project}<version>1</version><packaging>pom</packaging><modules>${list}</modules></project>`;
  writeFileSync(join(work, 'pom.xml'), pom);
  await command('mvn', [...maven, '--quiet', '--fail-at-end', '-Dmaven.test.skip', 'compile'], { cwd: work });
  return ['java', 'spring'];
}

/** Lists the catalogue with the Java client for the rewards API. */
async function listInJava(work: string): Promise<void> {
  const project = join(work, 'java/rewards');
  const file = join(project, 'classpath');
  await command('mvn', [...maven, '--quiet', 'dependency:build-classpath', `-Dmdep.outputFile=${file}`], {
    cwd: project,
  });
  const classes = `${join(project, 'target/classes')}:${readFileSync(file, 'utf8')}`;
  await lists('java', ['--class-path', classes, program], { cwd: work });
}

async function compilePython(work: string): Promise<string[]> {
  if (!has('python3')) return [];
  await command('python3', ['-m', 'compileall', '-q', 'python'], { cwd: work });
  return ['python'];
}

async function compilePhp(work: string): Promise<string[]> {
  if (!has('php')) return [];
  const names = readdirSync(join(work, 'php'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((path) => /\/lib\/.*\.php$/.test(path))) {
    await command('php', ['-l', join(work, 'php', name)], { cwd: work });
  }
  return ['php'];
}
