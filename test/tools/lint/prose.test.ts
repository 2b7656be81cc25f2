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
  ['The server needs no test code; what the run takes it gives back.', 'refund, restore'],
  ['The trace of a call, whoever made it.', 'name the noun'],
  ['What comes when more is to be served. What is old makes room, after a time of ours.', 'subject and a verb'],
  ['Who calls as the demo workspace operates the sandbox.', 'the caller'],
  ['Judge the token before the body.', 'check'],
  ['Three customers, all to be had.', 'available'],
  ['The caller sees the reply once the next call was carried out.', 'process'],
  ['Mend your server and press Run again.', 'fix'],
  ['A start after a change of its sources builds it anew.', 'again'],
  ['The body has a quarter, of which somebody reads nothing.', 'someone'],
  ['Left out, the first of the catalogue.', 'Defaults to'],
  ['Time stands still until a test moves it.', 'is frozen'],
  ['The same end is reported again, and another end is refused.', 'final status'],
  ['Five minutes, five tries, one use.', 'attempt'],
  ['Where both books agree the reconciliation is empty.', 'ledger'],
  ['Two repeats may arrive at once.', 'concurrently'],
  ['It appears beside the form.', 'next to'],
  ['The steps behind it are not reached.', 'after'],
  ['A replay finds no address any more.', 'no longer'],
  ['The ids of the business are remembered for ever.', 'permanently'],
  ['Each delivers after two seconds unless told otherwise.', 'by default'],
  ['Nothing of it exists in production.', 'repeat the noun'],
  ['The old ones go on with them.', 'continue'],
  ['Without it a header is told to the client.', 'notify'],
  ['Other bodies and JSON that is none are answered in the envelope.', 'invalid'],
  ['A trigger sets an event off.', 'trigger'],
  ['The platform works out the points.', 'calculate'],
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
