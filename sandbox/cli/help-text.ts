/** Help text with commands that can be typed: through npm in a checkout, by their own name in an installed package. */

const checkout = import.meta.url.endsWith('.ts');

/** Adapts help that is written for a checkout. Descriptions after the examples stay aligned. */
export function adaptHelp(help: string, isCheckout = checkout): string {
  if (isCheckout) return help;
  return help.split('\n').map(adaptLine).join('\n');
}

function adaptLine(line: string): string {
  const [, example = line, gap = '', about = ''] = /^( {2}\S+(?: \S+)*)( {2,})(\S.*)$/.exec(line) ?? [];
  const typed = example
    .replace(/npm start(?: --)?/g, 'rewards-sandbox')
    .replace(/npm run ([a-z]+)(?: --)?/g, 'rewards-sandbox $1');
  if (typed === example) return line;
  return about === '' ? typed : `${typed.padEnd(example.length + gap.length - 2)}  ${about}`;
}
