/** Examples in help are commands that can be typed, in a checkout and where the package is installed. */
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

it('in a checkout they stay as they are', () => {
  expect(adaptHelp(help, true)).toBe(help);
});

it('in a package they have its name, and what they do stands where it stood, or two blanks behind', () => {
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
