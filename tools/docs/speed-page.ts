import { read } from './content.ts';

/** What `npm run bench` leaves in docs/bench/speed.json, as far as the page shows it. */
interface Speed {
  readonly date: string;
  readonly version: string;
  readonly load: string;
  readonly machine: Readonly<Record<'processor' | 'memory' | 'kernel' | 'node' | 'fileSystem', string>> & {
    readonly cores: number;
  };
  readonly targets: readonly {
    readonly name: string;
    readonly before: string;
    readonly bound: 'least' | 'most';
    readonly target: number;
    readonly unit: string;
    readonly measured: number | null;
    readonly verdict: string;
  }[];
  readonly tables: readonly {
    readonly title: string;
    readonly unit: string;
    readonly against?: string;
    readonly rows: readonly { readonly name: string; readonly value: number }[];
  }[];
  readonly notes: readonly string[];
  readonly failed: readonly { readonly part: string; readonly reason: string }[];
}

/** The picture within the page: it takes its colours from the site's style sheet, in place of its own. */
export function speedPicture(): string {
  const svg = read('docs/bench/speed.svg').replace(/<style>[\s\S]*?<\/style>/, '');
  return `<div class="speed">${svg.trim().replaceAll('\n', '')}</div>`;
}

/** The figures as text: targets, each table, and what must be known to read them. */
export function speedTables(speed: Speed = JSON.parse(read('docs/bench/speed.json'))): string {
  const { machine, targets, tables, notes, failed } = speed;
  const { processor, cores, memory, fileSystem, kernel, node } = machine;
  const measured = `Measured on ${speed.date} with version ${speed.version}: ${processor}, ${cores} cores, ${memory}, ${fileSystem}, ${kernel}, Node ${node}. Load came from ${speed.load}.`;
  const failures = failed.map(({ part, reason }) => `Not measured: ${part} (${reason}).`);
  return [
    plain(measured),
    [
      '| Target | Before | Now | Wanted | Outcome |',
      '| --- | --- | --- | --- | --- |',
      ...targets.map(targetLine),
    ].join('\n'),
    ...tables.map(tableText),
    '## To read the figures',
    [...notes, ...failures].map((line) => `- ${plain(line)}`).join('\n'),
  ].join('\n\n');
}

function targetLine({ name, before, bound, target, unit, measured, verdict }: Speed['targets'][number]): string {
  const wanted = `${bound === 'least' ? 'at least' : 'at most'} ${shown(target, unit)}`;
  const now = measured === null ? '' : shown(measured, unit);
  return `| ${[name, before, now, wanted, verdict].map(plain).join(' | ')} |`;
}

function tableText({ title, unit, against, rows }: Speed['tables'][number]): string {
  const base = rows.find(({ name }) => name === against)?.value;
  const ratio = (value: number) => (base === undefined ? '' : ` ${(value / base).toFixed(2)} |`);
  const head =
    base === undefined
      ? ['| Measured | Figure |', '| --- | --- |']
      : [`| Measured | Figure | Of ${against} |`, '| --- | --- | --- |'];
  const lines = rows.map(({ name, value }) => `| ${plain(name)} | ${shown(value, unit)} |${ratio(value)}`);
  return [`## ${plain(title)}`, [...head.map(plain), ...lines].join('\n')].join('\n\n');
}

/** A figure with its unit: three digits that count. */
function shown(value: number, unit: string): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  const text = value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === '' ? text : `${text} ${unit}`;
}

/** A text that is neither a tag, nor a link, nor the end of a cell. */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|');
}
