/** Parsers of option values. Each throws an `InvalidArgumentError` that says what the value must be. */
import { InvalidArgumentError, Option } from 'commander';
import { type ReportFile, reportFile } from '../conformance/reports.ts';
import { type Sources, sourceOf } from '../conformance/sources.ts';
import { isRequirable } from '../conformance/statements/statements.ts';
import type { Upstreams } from '../proxy/proxy-options.ts';

export function addresses(flag: string, text: string, names: readonly string[]): Option {
  return new Option(flag, `${text} (repeatable)`).argParser((value: string, previous: Upstreams = {}) => {
    const [, name = '', address = ''] = /^(\w+)=(.+)$/.exec(value) ?? [];
    if (!names.includes(name))
      throw new InvalidArgumentError(`It must be NAME=URL, where NAME is one of ${names.join(', ')}.`);
    return { ...previous, [name]: url(address) };
  });
}

export function url(text: string): URL {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return parsed;
}

export function reports(text: string, previous: readonly ReportFile[] = []): readonly ReportFile[] {
  const file = reportFile(text);
  if (file === undefined) throw new InvalidArgumentError('It must be json=FILE, junit=FILE or sarif=FILE.');
  return [...previous, file];
}

export function sources(text: string, previous: Sources = new Map()): Sources {
  const source = sourceOf(text);
  if (source === undefined)
    throw new InvalidArgumentError(
      'It must be PATH, PATH:LINE or OPERATION=PATH:LINE, relative to the root of your repository.',
    );
  return new Map([...previous, source]);
}

export function required(text: string, previous: readonly string[] = []): readonly string[] {
  const [, list = ''] = /^observed=(.+)$/.exec(text) ?? [];
  const ids = list.split(',').map((id) => id.trim());
  const unknown = ids.filter((id) => !isRequirable(id));
  if (unknown.length > 0)
    throw new InvalidArgumentError('It must be observed= and statements that traffic can show, such as observed=S,R6.');
  return [...previous, ...ids];
}

export function port(text: string): number {
  return within(text, 65_535);
}

export function percent(text: string): number {
  return within(text, 100);
}

export function seconds(text: string): number {
  return within(text, 86_400);
}

export function adminToken(text: string): string {
  if (!/^[!-~]{16,256}$/.test(text)) throw new InvalidArgumentError('It must have 16 to 256 visible characters.');
  return text;
}

/** An option that may be repeated, and may name several with commas in between, as one environment variable must. */
export function separated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...text.split(',').map((part) => part.trim())];
}

function within(text: string, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(number <= most)) throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
  return number;
}
