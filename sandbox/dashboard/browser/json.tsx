/** A highlighted body, with each finding after the line it concerns. */
import { type Finding, restsOn } from './findings.tsx';
import { Code } from './parts.tsx';
import { linesOf, type Part, placed } from './traffic/json-lines.ts';

/** Maximum length of highlighted text: each coloured part is a separate DOM element. */
const mostColoured = 20_000;

/** A body with its findings. */
export function Json({ value, label, findings = [] }: Parameters<typeof Code>[0] & { findings?: readonly Finding[] }) {
  const isPlain = typeof value === 'string' || JSON.stringify(value, null, 2).length > mostColoured;
  if (isPlain) return <Code value={value} label={label} />;
  const lines = linesOf(value);
  const notes = placed(lines, findings);
  return (
    <Code value={value} label={label} look="code json">
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
