/** A highlighted body, with each finding after the line it concerns. */
import { type Finding, restsOn } from './findings.tsx';
import { Code } from './parts.tsx';
import { linesOf, type Part, placed } from './traffic/json-lines.ts';

/** Maximum length of highlighted text: each coloured part is a separate DOM element. */
const mostColoured = 20_000;

interface JsonProps {
  value: unknown;
  label: string;
  findings?: readonly Finding[];
}

/** A body as JSON, with its findings; a string as plain text. */
export function Json({ value, label, findings = [] }: JsonProps) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (text === value || text.length > mostColoured) return <Code value={text} label={label} />;
  const lines = linesOf(value);
  const notes = placed(lines, findings);
  return (
    <Code value={text} label={label} look="code json">
      {lines.map(({ parts }, at) => (
        <Line parts={parts} notes={notes.get(at) ?? []} end={at < lines.length - 1 ? '\n' : ''} />
      ))}
    </Code>
  );
}

function Line({ parts, notes, end }: { parts: readonly Part[]; notes: readonly Finding[]; end: string }) {
  const drawn = parts.map(({ kind, text }) => (kind === 'plain' ? text : <span class={kind}>{text}</span>));
  if (notes.length === 0) return [...drawn, end];
  const worst = notes.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  // The block ends with the line, so a line break after it would appear as an empty line.
  return (
    <>
      <span class={`found ${worst}`}>
        {drawn}
        {end}
      </span>
      {notes.map((note) => (
        <span class={`note ${note.severity === 'error' ? 'bad' : 'warn'}`}>
          {note.expected}, {restsOn(note)}
          {end}
        </span>
      ))}
    </>
  );
}
