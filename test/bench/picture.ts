import { colourOf } from '../../sandbox/certification/reports/style.ts';
import { formatFigure, ratioOf, type Table, withUnit } from './figures.ts';
import { wanted } from './printed.ts';
import type { Judged, Report } from './report.ts';
import { type Goal, reached } from './targets.ts';

/** Designed for the width of a phone; wider screens show it as wide as text. */
const width = 400;
const bar = { height: 12, most: 396 };
/** Names of competitors, by how they begin. */
const others = /^(bare|Prism|Mockoon|the other checkout)/;
/** A target that is far exceeded must not make all other bars small. */
const mostReached = 2;

/** The colours of a standalone picture; within a page the page's style sheet defines these classes. */
const style = `
svg { font: 14px system-ui, sans-serif }
.figure { font-size: 13px } .head { font-weight: 600 } .goal { stroke-width: 2 }
${coloursIn('light')}
@media (prefers-color-scheme: dark) {
${coloursIn('dark')}
}`;

function coloursIn(look: 'light' | 'dark'): string {
  const [surface, ink, quiet, track, own, missed, other] = (
    ['surface', 'ink', 'quiet', 'raised', 'accent', 'bad', 'field-line'] as const
  ).map((token) => colourOf(token, look));
  return `svg { background: ${surface} }
text { fill: ${ink} } .figure { fill: ${quiet} } .goal { stroke: ${ink} }
.track { fill: ${track} } .met, .own { fill: ${own} } .missed { fill: ${missed} } .other { fill: ${other} }`;
}

/** A text escaped for SVG. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}

/** Lines from top to bottom. */
class Drawing {
  y = 0;
  readonly #parts: string[] = [];

  text(x: number, text: string, kind: 'name' | 'figure' | 'head', end = false): void {
    const anchor = end ? ' text-anchor="end"' : '';
    this.#parts.push(`<text class="${kind}" x="${x}" y="${this.y}"${anchor}>${escaped(text)}</text>`);
  }

  bar(kind: string, length: number): void {
    const size = Math.max(1, Math.min(bar.most, Number.isFinite(length) ? length : 0)).toFixed(1);
    this.#parts.push(`<rect class="${kind}" x="2" y="${this.y}" width="${size}" height="${bar.height}" rx="2"/>`);
  }

  goal(x: number): void {
    this.#parts.push(`<path class="goal" d="M${x} ${this.y - 3}V${this.y + bar.height + 3}"/>`);
  }

  get svg(): string {
    return this.#parts.join('\n');
  }
}

/** The picture of a run: how far each target is reached, then the comparisons. */
export function picture(report: Report): string {
  const drawing = new Drawing();
  drawing.y = 22;
  drawing.text(2, 'Targets: the line is where one is met', 'head');
  const judged = report.targets.flatMap((target) =>
    target.goal === undefined ? [] : { ...target, goal: target.goal },
  );
  for (const target of judged) drawTarget(drawing, target);
  for (const table of report.tables.filter(({ against }) => against !== undefined)) drawTable(drawing, table);
  const met = judged.filter(({ verdict }) => verdict === 'met').length;
  const description = `${met} of ${judged.length} targets are met. The tables have every figure.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${drawing.y + 34}" role="img" aria-labelledby="speed-title speed-text">`,
    '<title id="speed-title">Speed, against targets and others</title>',
    `<desc id="speed-text">${escaped(description)}</desc>`,
    `<style>${style}</style>`,
    drawing.svg,
    '</svg>\n',
  ].join('\n');
}

function drawTarget(drawing: Drawing, target: Judged & { readonly goal: Goal }): void {
  const { name, measured, unit, verdict } = target;
  drawing.y += 30;
  drawing.text(2, name, 'name');
  drawing.y += 18;
  const now = `${withUnit(measured ?? Number.NaN, unit)}, wanted ${wanted(target.goal, unit)}`;
  drawing.text(2, now, 'figure');
  drawing.text(width - 2, target.verdict, 'figure', true);
  drawing.y += 8;
  drawing.bar('track', bar.most);
  if (measured !== null) drawing.bar(verdict, (reached(target.goal, measured) / mostReached) * bar.most);
  drawing.goal(2 + bar.most / mostReached);
  drawing.y += bar.height;
}

function drawTable(drawing: Drawing, table: Table): void {
  const { title, unit, against, rows } = table;
  const most = Math.max(...rows.map(({ value }) => value).filter(Number.isFinite));
  drawing.y += 52;
  drawing.text(2, title, 'head');
  for (const row of rows) {
    drawing.y += 28;
    const ratio = ratioOf(table, row);
    drawing.text(2, row.name, 'name');
    const figure = `${withUnit(row.value, unit)}${ratio === undefined ? '' : ` · ${formatFigure(ratio)}`}`;
    drawing.text(width - 2, figure, 'figure', true);
    drawing.y += 6;
    drawing.bar(others.test(row.name) ? 'other' : 'own', (row.value / most) * bar.most);
    drawing.y += bar.height;
  }
  drawing.y += 20;
  drawing.text(2, `The second figure is the ratio to ${against}.`, 'figure');
}
