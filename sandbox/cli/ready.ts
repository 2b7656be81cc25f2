/** The `ready` command, which prints the going-live checklist with the evidence of a running sandbox. */
import type { Command } from 'commander';
import type { components } from '../../generated/sandbox/types.ts';
import { printable } from '../runtime/terminal.ts';
import { type Act, type RunningSandbox, withSandbox } from './command-line.ts';
import type { Io } from './io.ts';
import { request } from './workspaces.ts';

export { explain } from './workspaces.ts';

type Checklist = components['schemas']['Checklist'];
type Item = components['schemas']['ChecklistItem'];

const help = `
Examples:
  rewards-sandbox ready                          the checklist, with the evidence of the sandbox on port 4010 for each item
  rewards-sandbox ready --json                   the same as one JSON object

Exit codes:
  0 every item that can be shown is shown   1 an item is not shown, or the sandbox refused the call
  2 usage error   3 no response from the sandbox`;

const groups: Readonly<Record<Item['group'], string>> = {
  your_server: 'Your server',
  your_calls: 'Your calls',
  agreed: 'Agreed with the platform',
  rehearsed: 'Rehearsed',
};
const states: Readonly<Record<Item['state'], string>> = { shown: 'shown', not_shown: 'NOT SHOWN', yours: 'yours' };

/** Adds the `ready` command to the program. */
export function addTo(program: Command, act: Act): void {
  withSandbox(
    program
      .command('ready')
      .description('Show which items of the going-live checklist the sandbox has evidence for.')
      .option('--json', 'print one JSON object')
      .addHelpText('after', help),
  ).action(act(ready));
}

async function ready(io: Io, { json, ...running }: RunningSandbox & { readonly json?: true }): Promise<number> {
  const found = await request(running, 'Checklist', (client) => client.GET('/checklist'));
  io.stdout.write(json ? `${JSON.stringify(found)}\n` : textOf(found));
  return found.ready ? 0 : 1;
}

function textOf({ items, shown, not_shown: missing, yours }: Checklist): string {
  const lines = Object.entries(groups).flatMap(([group, title]) => [
    title,
    ...items.filter((item) => item.group === group).map(lineOf),
    '',
  ]);
  const total = `${shown} shown, ${missing} not shown, ${yours} for you to confirm.`;
  return [...lines, `${missing === 0 ? 'Ready' : 'Not ready'}: ${total}`]
    .map((line) => `${printable(line)}\n`)
    .join('');
}

function lineOf({ state, title, evidence }: Item): string {
  return `  ${states[state].padEnd(9)}  ${title}${state === 'yours' ? '' : ` ${evidence}`}`;
}
