/** Tests the rules of `npm run lint:prose`, which reports sentences in the old style with suggestions. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../harness/folders.ts';
import { root } from '../../harness/sources.ts';

/** Sentences that the documents contained, and the suggested replacement for the reported phrase. */
const old: readonly (readonly [sentence: string, suggestion: string])[] = [
  ['each of your replies is held against the contract', 'validate against'],
  ['The trace of a call, whoever made it.', 'name the noun'],
  ['What comes when more is to be served. What is old makes room, after a time of ours.', 'subject and a verb'],
  ['Judge the token before the body.', 'check'],
  ['Each delivers after two seconds unless told otherwise.', 'by default'],
  ['Nothing of it exists in production.', 'repeat the noun'],
  ['Other bodies and JSON that is none are answered in the envelope.', 'invalid'],
];

/** Returns the linter's messages for each line of a page. `asLine` formats a line for the page. */
async function messagesByLine(
  lines: readonly string[],
  name = 'page.md',
  asLine = (line: string) => line,
): Promise<ReadonlyMap<number, string>> {
  const page = join(await temporaryFolder(), name);
  await writeFile(page, lines.map((line) => `${asLine(line)}\n\n`).join(''));
  const textlint = join(root, 'node_modules/textlint/bin/textlint.js');
  const args = [textlint, '--config', join(root, '.textlintrc.cjs'), '--format', 'json', page];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: { stdout: string }) => error,
  );
  const [{ messages = [] } = {}] = JSON.parse(stdout || '[]') as {
    messages: { line: number; message: string }[];
  }[];
  return new Map(
    [...Map.groupBy(messages, ({ line }) => (line - 1) / 2)].map(([index, lineMessages]) => [
      index,
      lineMessages.map(({ message }) => message).join('; '),
    ]),
  );
}

it('sentences of the old style are reported, with what to write instead', { timeout: 60_000 }, async () => {
  const messages = await messagesByLine(old.map(([sentence]) => sentence));
  const missed = old.flatMap(([sentence, suggestion], index) =>
    messages.get(index)?.includes(suggestion) ? [] : [[sentence, messages.get(index)]],
  );
  expect(missed).toEqual([]);
});

it('plain sentences are not reported', { timeout: 60_000 }, async () => {
  const plain = [
    'Every response from your server is validated against the contract.',
    'The run restores every balance it changes, so you can repeat it.',
    'What do you need? A terminal.',
    'The platform retries with the same key.',
    'The clock is frozen until a test advances it.',
    'Set the key in your shell, and go on the offensive.',
  ];
  expect([...(await messagesByLine(plain))]).toEqual([]);
});

const formats: readonly (readonly [what: string, file: string, asLine: (line: string) => string])[] = [
  ['a string of a module', 'module.ts', (line) => `say(${JSON.stringify(line)} as const);`],
  ['a template of a page', 'page.js', (line) => `html\`<p>\${count} ${line}</p>\`;`],
  ['a description of a contract', 'contract.yaml', (line) => `- description: "${line}"`],
];

it.each(formats)('it is reported in %s too, and a plain one is not', { timeout: 60_000 }, async (_, file, asLine) => {
  const lines = ['Without it a header is told to the client.', 'The client receives a header.'];
  const messages = await messagesByLine(lines, file, asLine);
  expect([...messages]).toEqual([[0, expect.stringContaining('notify')]]);
});

it('names, comments and code of a module are not read', { timeout: 60_000 }, async () => {
  const lines = [
    '// It is told whoever asks.',
    "import { judged } from './told-to-stop.ts';",
    'const tries = [`judged`, judged];',
  ];
  expect([...(await messagesByLine(lines, 'module.ts'))]).toEqual([]);
});
