import { formatFigure, type Row, ratioOf, type Table, withUnit } from './figures.ts';
import type { Judged, Report } from './report.ts';
import type { Goal } from './targets.ts';

/** Colours text, or returns the text unchanged. */
export type Colour = (colour: 'green' | 'red' | 'yellow' | 'bold' | 'dim', text: string) => string;

/** Formats the condition of a target, such as `>= 800 /s`. */
export function wanted({ bound, target }: Goal, unit: string): string {
  return `${bound === 'least' ? '>=' : '<='} ${target.toLocaleString('en-GB')}${unit === '' ? '' : ` ${unit}`}`;
}

/** Formats a report's tables for a terminal, with the targets first. */
export function printed(report: Report, colour: Colour): string {
  const { machine, failed } = report;
  const head = [
    `${machine.processor}, ${machine.cores} cores, ${machine.memory}, ${machine.fileSystem}, ${machine.kernel}, Node ${machine.node}`,
    `${report.date}, version ${report.version}, load from ${report.load}, ${report.seconds} s`,
  ];
  const blocks = [
    head.join('\n'),
    targetsBlock(report.targets, colour),
    ...report.tables.map((table) => tableBlock(table, colour)),
    report.notes.map((note) => `- ${note}`).join('\n'),
    ...failed.map(({ part, reason }) => colour('red', `failed: ${part}: ${reason}`)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const colours = { met: 'green', missed: 'red', 'not measured': 'yellow', 'no target': 'dim' } as const;

function targetsBlock(targets: readonly Judged[], colour: Colour): string {
  const lines = targets.map((target) => {
    const now = withUnit(target.measured ?? Number.NaN, target.unit);
    const cells = [
      target.name.padEnd(54),
      target.before.padEnd(16),
      now.padEnd(14),
      (target.goal ? wanted(target.goal, target.unit) : '').padEnd(12),
    ];
    return `${cells.join(' ')} ${colour(colours[target.verdict], target.verdict)}`;
  });
  const title = `${'Targets'.padEnd(54)} ${'before'.padEnd(16)} ${'now'.padEnd(14)} ${'target'.padEnd(12)}`;
  return [colour('bold', title.trimEnd()), ...lines].join('\n');
}

function tableBlock(table: Table, colour: Colour): string {
  const { title, unit, against, rows } = table;
  const line = (row: Row) => {
    const ratio = ratioOf(table, row);
    const rounds = row.rounds.length > 1 ? `(${row.rounds.map(formatFigure).join(', ')})` : '';
    const share = ratio === undefined ? '' : `${formatFigure(ratio)} of ${against}`;
    const cells = [`  ${row.name.padEnd(34)}`, share.padEnd(36), withUnit(row.value, unit).padStart(12), rounds];
    return cells.join(' ').trimEnd();
  };
  return [colour('bold', title), ...rows.map(line)].join('\n');
}
