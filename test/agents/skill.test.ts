/** Tests that everything named in `SKILL.md`, the instructions for coding agents, exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { toolsOf } from '../../sandbox/agents/tools.ts';
import { readContract } from '../../sandbox/contract/document.ts';
import { blocksOf } from '../harness/blocks.ts';
import { inProcess } from '../harness/command.ts';
import { root } from '../harness/sources.ts';

const file = join(root, 'skills/rewards-sandbox/SKILL.md');
const text = readFileSync(file, 'utf8');
const commands = blocksOf(file)
  .flatMap((block) => block.text.split('\n'))
  .map((line) => line.trim())
  .filter((line) => line !== '');

it('the front matter has the name of the folder, and says when to use the skill', () => {
  const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { name, description } = parse(matter);
  expect(name).toBe('rewards-sandbox');
  expect(description).toMatch(/Use it to/);
  expect(description.length).toBeLessThan(1024);
});

it.each(commands)('the command has the flags of: %s', async (line) => {
  const [, command = '', ...rest] = line.split(' ');
  const { code, stdout } = await inProcess([command, '--help']).ended;
  expect(code).toBe(0);
  const flags = rest.filter((word) => word.startsWith('--'));
  expect(flags.filter((flag) => !stdout.includes(`  ${flag} `))).toEqual([]);
});

it('the tools that it names exist', () => {
  const offered = ['readPage', ...toolsOf(readContract('sandbox'), true).map(({ name }) => name)];
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(6);
  expect(named.filter((name) => !offered.includes(name ?? ''))).toEqual([]);
});

it('the package includes it', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  expect(files).toContain('skills');
});
