/** Exports all calls as a Bruno collection: a folder of `.bru` files, the format that Bruno stores in repositories. */
import { strToU8, type Zippable, zipSync } from 'fflate';
import { allCalls, type Call, type Credential, type Group, isGroup, type Value } from './calls.ts';

/** The root folder of the archive. */
const root = 'rewards-sandbox-bruno';
/** Fixed modification time of all files, so that the same contracts always produce the same archive. */
const time = new Date('2020-01-01T00:00:00Z');

/** Returns the collection as a ZIP archive with a single root folder. */
export function brunoArchive(): Uint8Array {
  const files = Object.entries(brunoFiles()).map(([path, text]) => [`${root}/${path}`, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files) as Zippable, { level: 9, mtime: time });
}

/** Returns the files of the collection, keyed by path relative to its folder. */
export function brunoFiles(): Record<string, string> {
  const { name, description, groups, variables } = allCalls();
  const assignments = Object.entries(variables).map(([key, value]) => `${key}: ${value}`);
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] }, null, 2)}\n`,
    'collection.bru': file([block('vars:pre-request', assignments), carriedOut, block('docs', lines(description))]),
    ...filesOf(groups, ''),
  };
}

/** Returns the files for the groups and calls in one folder. */
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

/** A test that fails the run if a call is refused. */
const carriedOut = block('tests', ["test('it is carried out', () => expect(res.getStatus()).to.be.below(400));"]);

/** Returns a script that saves parts of a reply in variables. */
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

/** Returns the line for a parameter or header. A leading `~` disables it. */
function pair({ key, value, sent }: Value): string {
  return `${sent ? '' : '~'}${key}: ${value}`;
}

/** Returns a block of a `.bru` file, or an empty string if the block has no content. */
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

/** Removes characters that some operating systems do not allow in file names. */
function fileName(name: string): string {
  return name.replaceAll(/[<>:"/\\|?*]/g, '').replace(/[. ]+$/, '');
}
