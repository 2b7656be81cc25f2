/** All calls as a collection of Bruno: a folder of `.bru` files, which is the form that it keeps in a repository. */
import { strToU8, type Zippable, zipSync } from 'fflate';
import { allCalls, type Call, type Credential, type Group, isGroup, type Value } from './calls.ts';

/** The folder that is in the archive. */
const root = 'rewards-sandbox-bruno';
/** Files have the same time in each build, so that the same contracts make the same archive. */
const time = new Date('2020-01-01T00:00:00Z');

/** The archive: a zip of the files below one folder. */
export function brunoArchive(): Uint8Array {
  const files = Object.entries(brunoFiles()).map(([path, text]) => [`${root}/${path}`, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files) as Zippable, { level: 9, mtime: time });
}

/** The files of the collection, by their paths in its folder. */
export function brunoFiles(): Record<string, string> {
  const { name, description, groups, variables } = allCalls();
  const assignments = Object.entries(variables).map(([key, value]) => `${key}: ${value}`);
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] }, null, 2)}\n`,
    'collection.bru': file([block('vars:pre-request', assignments), carriedOut, block('docs', lines(description))]),
    ...filesOf(groups, ''),
  };
}

/** The files of the groups and calls in one folder. */
function filesOf(parts: readonly (Group | Call)[], folder: string): Record<string, string> {
  const placed = parts.map((part, index) => {
    const seq = index + 1;
    const path = `${folder}${String(seq).padStart(2, '0')} ${fileName(part.name)}`;
    if (!isGroup(part)) return { [`${path}.bru`]: callFile(part, seq) };
    const meta = block('meta', [`name: ${part.name}`, `seq: ${seq}`]);
    const docs = block('docs', lines(part.description));
    return { [`${path}/folder.bru`]: file([meta, docs]), ...filesOf(part.parts, `${path}/`) };
  });
  return Object.assign({}, ...placed);
}

function callFile(call: Call, seq: number): string {
  const { name, description, method, base, path, inPath, query, headers, credential, body, keeps } = call;
  const sent = query.filter((one) => one.sent).map(({ key, value }) => `${key}=${value}`);
  const below = `${path.replaceAll(/\{(\w+)\}/g, ':$1')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`;
  const auth = credential === undefined || credential.scheme === 'bare' ? 'none' : credential.scheme;
  const bare: Value[] =
    credential?.scheme === 'bare' ? [{ key: 'Authorization', value: credential.token, sent: true }] : [];
  return file([
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [
      `url: {{${base}}}${below}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      `auth: ${auth}`,
    ]),
    block('params:query', query.map(pair)),
    block('params:path', inPath.map(pair)),
    block('headers', [...bare, ...headers].map(pair)),
    authBlock(credential),
    block('body:json', body?.split('\n') ?? []),
    block('script:post-response', keeping(keeps)),
    block('docs', lines(description)),
  ]);
}

function authBlock(credential: Credential | undefined): string {
  if (credential?.scheme === 'bearer') return block('auth:bearer', [`token: ${credential.token}`]);
  if (credential?.scheme === 'basic')
    return block('auth:basic', [`username: ${credential.user}`, `password: ${credential.password}`]);
  return '';
}

/** Fails a run where a call was refused. */
const carriedOut = block('tests', ["test('it is carried out', () => expect(res.getStatus()).to.be.below(400));"]);

/** A script that keeps parts of a reply in variables. */
function keeping(keeps: Call['keeps']): string[] {
  if (Object.keys(keeps).length === 0) return [];
  return [
    'const keep = (name, value) => value !== undefined && bru.setVar(name, value);',
    'if (res.getStatus() < 300) {',
    '  const reply = res.getBody();',
    ...Object.entries(keeps).map(([name, part]) => `  keep('${name}', reply.${part});`),
    '}',
  ];
}

/** A parameter or header; one that is not sent has `~` before its name. */
function pair({ key, value, sent }: Value): string {
  return `${sent ? '' : '~'}${key}: ${value}`;
}

/** A block of a `.bru` file; nothing where it would be empty. */
function block(name: string, content: readonly string[]): string {
  if (content.length === 0) return '';
  return `${name} {\n${content.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}\n`;
}

function file(blocks: readonly string[]): string {
  return blocks.filter((text) => text !== '').join('\n');
}

function lines(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** A name that a file can have on each system. */
function fileName(name: string): string {
  return name.replaceAll(/[<>:"/\\|?*]/g, '').replace(/[. ]+$/, '');
}
