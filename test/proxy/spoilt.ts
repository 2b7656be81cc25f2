/** Corrupts exchanges randomly. */
import type { Draw } from '../harness/drawing.ts';
import type { Draft } from '../harness/exchanges.ts';

/** Values at schema limits, and strings that the two validators may parse differently. */
const values: readonly unknown[] = [
  ...['', '0', '007', '1e3', ' 5', '5.0', '-1', 'true', 'TRUE', 'null', '9'.repeat(30), 'a,b', 'a=b', '%41', '~', '.'],
  ...['2016-12-31T23:59:60Z', '2016-12-31T18:59:60-05:00', '2026-01-12T04:30:00.000Z', '2026-01-12 04:30:00+0530'],
  ...['2026-01-12T04:30:00+24:30', '2026-02-30T00:00:00Z', 'https://a.example/ü', 'http://[::1]/', 'mailto:a@b'],
  ...[0, -1, 1.5, 2 ** 53, 1e21, true, false, null, [], {}, [[]], 'x'.repeat(300), '\u{1f600}'.repeat(64)],
];

/** Makes one to three changes to an exchange. */
export function disturb(draw: Draw, draft: Draft): void {
  for (let times = draw.integer(1, 3); times > 0; times -= 1) {
    const kind = draw.integer(0, 5);
    if (kind === 0) disturbText(draw, draft.query);
    else if (kind === 1) disturbText(draw, draft.request.headers);
    else if (kind === 2) disturbText(draw, draft.reply.headers);
    else if (kind === 3) draft.path = draft.path.replace(/[^/]+$/, encodeURIComponent(String(draw.pick(values))));
    else disturbBody(draw, kind === 4 ? draft.request : draft.reply);
  }
}

function disturbText(draw: Draw, fields: Record<string, string>): void {
  const names = [...Object.keys(fields), 'limit', 'LIMIT', 'page', 'authorization', 'x-trace-id', 'idempotency-key'];
  const name = draw.pick(names);
  const odd = [...values.map(String), 'Bearer x', 'Bearer ', 'bearer x', 'Basic eDp5', `${'ab'.repeat(16)}`];
  const text = draw.pick(odd).replaceAll(/[^ -~]/g, '');
  if (draw.chance(25)) delete fields[name];
  else fields[name] = text;
}

function disturbBody(draw: Draw, message: { body: unknown }): void {
  const places: { readonly at: Record<string, unknown>; readonly name: string }[] = [];
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, child] of Object.entries(value)) {
      places.push({ at: value as Record<string, unknown>, name });
      collect(child);
    }
  };
  collect({ body: message.body });
  const { at, name } = draw.pick(places);
  if (name === 'body') message.body = draw.chance(90) ? message.body : draw.pick(values);
  else if (draw.chance(20)) delete at[name];
  else if (draw.chance(15)) at.more = draw.pick(values);
  else at[name] = structuredClone(draw.pick(values));
}
