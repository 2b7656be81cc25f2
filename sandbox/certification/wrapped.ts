/** A text in lines of at most so many columns, each indented; a word that is longer than a line keeps its own. */
export function wrapped(text: string, width: number, indent: number): string {
  const most = Math.max(width - indent, 20);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((shown) => `${' '.repeat(indent)}${shown}`).join('\n');
}
