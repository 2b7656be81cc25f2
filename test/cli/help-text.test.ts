/** Tests that the examples in help texts work as typed, in a checkout and with an installed package. */
import { expect, it } from 'vitest';
import { adaptHelp } from '../../sandbox/cli/command-line.ts';

const help = `
Examples:
  npm start                         everything
  npm start -- --port 0             any free port
  npm run check -- capture.har  a HAR
  curl -s localhost:4010/x | npm run check -- -    the log
  npm run proxy -- --mode enforce
  rewards-sandbox init --lang go    another

Calls npm where it has to.`;

it('in a checkout, examples stay unchanged', () => {
  expect(adaptHelp(help, true)).toBe(help);
});

it('in a package, examples use its name, and descriptions stay in their column, or follow after two spaces', () => {
  expect(adaptHelp(help, false)).toBe(`
Examples:
  rewards-sandbox                   everything
  rewards-sandbox --port 0          any free port
  rewards-sandbox check capture.har  a HAR
  curl -s localhost:4010/x | rewards-sandbox check -  the log
  rewards-sandbox proxy --mode enforce
  rewards-sandbox init --lang go    another

Calls npm where it has to.`);
});
