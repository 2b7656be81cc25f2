import type { Category } from './pictures.ts';

/** Draws numbers below one, always the same ones for the same brand. */
export type Draw = () => number;

/** The path of a circle. */
const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** The path of a rectangle, with round corners where `r` is given. */
const box = (x: number, y: number, width: number, height: number, r = 0): string =>
  r === 0
    ? `M${x} ${y}h${width}v${height}h${-width}z`
    : `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}z`;

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const whole = (value: number) => Math.round(value);

/** What lies behind the glyph, in a field of 320 by 140: another form for each category, another place for each brand. */
export const patterns: Readonly<Record<Category, (draw: Draw) => string>> = {
  food: rings,
  market: scallops,
  fashion: weave,
  technology: dots,
  leisure: rays,
  learning: steps,
  travel: hills,
  wellbeing: petals,
  home: tiles,
};

function rings(draw: Draw): string {
  const [x, y] = [whole(40 + 240 * draw()), whole(140 * draw())];
  return range(4)
    .map((index) => `${circle(x, y, 120 - 28 * index)}${circle(x, y, 108 - 28 * index)}`)
    .join('');
}

function weave(draw: Draw): string {
  const [step, lean] = [whole(22 + 26 * draw()), draw() < 0.5 ? 140 : -140];
  const first = -Math.max(lean, 0) - step;
  return range(Math.ceil(500 / step))
    .map((index) => `M${first + index * step} 140l${lean}-140h${whole(step / 2)}l${-lean} 140z`)
    .join('');
}

function rays(draw: Draw): string {
  const [x, y, turn] = [whole(60 + 200 * draw()), whole(30 + 80 * draw()), draw()];
  const at = (angle: number) => `${whole(x + 340 * Math.cos(angle))} ${whole(y + 340 * Math.sin(angle))}`;
  return range(9)
    .map((index) => (index + turn) * ((2 * Math.PI) / 9))
    .map((angle) => `M${x} ${y}L${at(angle)}L${at(angle + 0.35)}z`)
    .join('');
}

function steps(draw: Draw): string {
  const width = whole(24 + 16 * draw());
  return range(Math.ceil(320 / width))
    .map((index) => [index * width, whole(20 + 110 * draw())] as const)
    .map(([x, height]) => box(x, 140 - height, width - 5, height))
    .join('');
}

function hills(draw: Draw): string {
  return range(3)
    .map((index) => [whole(60 + 24 * index + 16 * draw()), whole(40 + 60 * draw())] as const)
    .map(([y, bend]) => `M0 ${y}q80 ${-bend} 160 0t160 0v12q-80 ${bend} -160 0t-160 0z`)
    .join('');
}

function petals(draw: Draw): string {
  const [step, shift] = [whole(44 + 20 * draw()), whole(40 * draw())];
  const half = whole(step / 2);
  return range(3)
    .flatMap((row) =>
      range(Math.ceil(400 / step)).map((column) => [row, column * step - shift + (row % 2) * half] as const),
    )
    .map(([row, x]) => `M${x} ${row * 50 + 45}q${-half} -20 0 -45q${half} 25 0 45z`)
    .join('');
}

function scallops(draw: Draw): string {
  const r = whole(26 + 10 * draw());
  return range(Math.ceil(140 / r) + 1)
    .flatMap((row) =>
      range(Math.ceil(160 / r) + 1).map((column) => circle(2 * r * column + (row % 2) * r, r * row, r - 7)),
    )
    .join('');
}

function dots(draw: Draw): string {
  const [step, x, y] = [whole(28 + 6 * draw()), 320 * draw(), 140 * draw()];
  return range(Math.ceil(320 / step))
    .flatMap((column) => range(Math.ceil(140 / step)).map((row) => [column * step, row * step] as const))
    .map(([left, top]) =>
      circle(left, top, whole(3 + (step / 3) * Math.max(0, 1 - Math.hypot(left - x, top - y) / 260))),
    )
    .join('');
}

function tiles(draw: Draw): string {
  const size = whole(30 + 10 * draw());
  return range(Math.ceil(320 / size))
    .flatMap((column) => range(Math.ceil(140 / size)).map((row) => [column, row] as const))
    .filter(() => draw() < 0.4)
    .map(([column, row]) => box(column * size, row * size, size - 3, size - 3, 4))
    .join('');
}
