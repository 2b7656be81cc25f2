/** Tests the flags and the help of `npm run workflows`. */
import { expect, it } from 'vitest';
import { newProgram } from '../../sandbox/cli/command-line.ts';
import { addTo } from '../../sandbox/cli/workflows.ts';
import { journeys } from '../../sandbox/workflows/documents.ts';

/** Returns the output of the command for these arguments, and the parsed options. */
function parseArguments(...args: readonly string[]) {
  const output: string[] = [];
  const write = (text: string) => void output.push(text);
  const program = newProgram();
  addTo(program, () => async () => {});
  const [parsed = program] = program.commands;
  parsed.configureOutput({ writeOut: write, writeErr: write });
  try {
    parsed.parse(args, { from: 'user' });
  } catch (error) {
    return { output: output.join(''), code: (error as { readonly code: string }).code };
  }
  return { names: parsed.args, flags: parsed.opts() };
}

it('accepts names and files, and paths of reports', () => {
  expect(parseArguments('earn', 'my.arazzo.yaml', '--junit', 'a.xml', '--har', 'b.har')).toEqual({
    names: ['earn', 'my.arazzo.yaml'],
    flags: { junit: 'a.xml', har: 'b.har' },
  });
  expect(parseArguments('--sandbox', 'http://127.0.0.1:4010', '--admin-token', 'at_sandbox_1')).toEqual({
    names: [],
    flags: { sandbox: new URL('http://127.0.0.1:4010'), adminToken: 'at_sandbox_1' },
  });
});

it('refuses an invalid URL', () => {
  const output = expect.stringContaining('It must be an http or https URL.');
  expect(parseArguments('--sandbox', 'here')).toEqual({ code: 'commander.invalidArgument', output });
  expect(parseArguments('--sandbox', 'ftp://here')).toEqual({ code: 'commander.invalidArgument', output });
});

it('--help names every journey and every exit code', () => {
  const { output, code } = parseArguments('--help');
  expect(code).toBe('commander.helpDisplayed');
  expect(output).toContain(journeys.join(', '));
  expect(output).toMatch(/0 all passed {3}1 a workflow failed {3}2 usage error {3}3 environment/);
});
