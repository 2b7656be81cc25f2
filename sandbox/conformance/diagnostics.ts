import { isBlank } from '../runtime/masking.ts';
import { made } from './check-body.ts';
import type { CheckedOperation } from './contracts.ts';
import { type Flaw, shown } from './flaw.ts';
import type { Diagnostic } from './prism-view.ts';

/** Where the parameters and headers of a message are described in the bundle, by part and lower-case name. */
export type RuleOf = (part: string, name: string) => string;

const parts: Readonly<Record<string, 'query' | 'path' | 'header'>> = { query: 'query', path: 'path', header: 'header' };

/**
 * What Prism says about parameters and headers, as flaws. `there` tells what stood there; a message of Prism names the
 * place before the problem, and the pointer has said that already.
 */
export function parameterFlaws(
  diagnostics: readonly Diagnostic[],
  there: (part: 'query' | 'path' | 'header', name: string) => unknown,
  ruleOf: RuleOf,
): Flaw[] {
  return diagnostics.flatMap(({ path = [], code = 'invalid', message }) => {
    const part = parts[String(path[0])];
    if (part === undefined) return [];
    const lacking = /must have required property '(.*)'/.exec(message)?.[1];
    const name = lacking ?? String(path[1] ?? '');
    const place = `/${part === 'header' ? 'headers' : part}/${[name, ...path.slice(2)].join('/')}`;
    const expected = lacking === undefined ? message.replace(/^\w+ \w+ parameter \S+ /, '') : 'is required';
    const value = there(part, name);
    const flaw = made(`${part}.${code}`, place, expected, shown(`/${name}`, value), ruleOf(part, name));
    return [{ ...flaw, blank: isBlank(value) }];
  });
}

/** What Prism says about a body that the contract's own schema has nothing against: told as Prism says it. */
export function bodyDiagnostics(diagnostics: readonly Diagnostic[], operation: CheckedOperation): Flaw[] {
  return diagnostics.flatMap(({ path = [], code = 'invalid', message }) =>
    path[0] === 'body'
      ? [made(`body.${code}`, ['/body', ...path.slice(1)].join('/'), message, 'see the message', operation.pointer)]
      : [],
  );
}
