/** How commands are typed where this one runs: in a checkout by npm, installed as a package by their own name. */

const checkout = import.meta.url.endsWith('.ts');

/** Help as it can be typed: it is written for a checkout. What stands behind the examples stays below each other. */
export function asTyped(help: string, isCheckout = checkout): string {
  if (isCheckout) return help;
  return help.split('\n').map(lineAsTyped).join('\n');
}

function lineAsTyped(line: string): string {
  const [, example = line, gap = '', about = ''] = /^( {2}\S+(?: \S+)*)( {2,})(\S.*)$/.exec(line) ?? [];
  const typed = example
    .replace(/npm start(?: --)?/g, 'rewards-sandbox')
    .replace(/npm run ([a-z]+)(?: --)?/g, 'rewards-sandbox $1');
  if (typed === example) return line;
  return about === '' ? typed : `${typed.padEnd(example.length + gap.length - 2)}  ${about}`;
}
