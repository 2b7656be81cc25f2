/** The flags and the help of `npm run workflows`. */
import { expect, it } from 'vitest';
import { workflowsCommand } from '../../sandbox/cli/workflows-command.ts';
import { journeys } from '../../sandbox/workflows/documents.ts';

/** What the command says to its arguments, and what it takes them for. */
function given(...args: readonly string[]) {
  const said: string[] = [];
  const write = (text: string) => void said.push(text);
  const parsed = workflowsCommand('1.2.3').configureOutput({ writeOut: write, writeErr: write });
  try {
    parsed.parse(args, { from: 'user' });
  } catch (error) {
    return { said: said.join(''), code: (error as { readonly code: string }).code };
  }
  return { names: parsed.args, flags: parsed.opts() };
}

it('takes names and files, and what to write where', () => {
  expect(given('earn', 'my.arazzo.yaml', '--junit', 'a.xml', '--har', 'b.har')).toEqual({
    names: ['earn', 'my.arazzo.yaml'],
    flags: { junit: 'a.xml', har: 'b.har' },
  });
  expect(given('--sandbox', 'http://127.0.0.1:4010', '--admin-token', 'at_sandbox_1')).toEqual({
    names: [],
    flags: { sandbox: new URL('http://127.0.0.1:4010'), adminToken: 'at_sandbox_1' },
  });
});

it('refuses an address that is none', () => {
  const said = expect.stringContaining('It must be an http or https URL.');
  expect(given('--sandbox', 'here')).toEqual({ code: 'commander.invalidArgument', said });
  expect(given('--sandbox', 'ftp://here')).toEqual({ code: 'commander.invalidArgument', said });
});

it('--help names every journey and every exit code', () => {
  const { said, code } = given('--help');
  expect(code).toBe('commander.helpDisplayed');
  expect(said).toContain(journeys.join(', '));
  expect(said).toMatch(/0 all passed {3}1 a workflow failed {3}2 usage error {3}3 environment/);
});
