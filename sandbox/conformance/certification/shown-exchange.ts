/** Calls as reports show them: to be pasted into a shell, and without secrets. */

import type { components } from '../../../generated/sandbox/types.ts';
import { maskUrl } from '../../runtime/masking.ts';
import type { HeaderList } from '../exchange.ts';
import type { Answer } from './answer.ts';

type Exchange = components['schemas']['CertificationExchange'];

/** Most characters of a body that are shown. */
const mostCharacters = 4096;

/** The secrets of a run, by the variables that stand for them in what is shown. */
export class Secrets {
  readonly #known = new Map<string, string>();

  /** A secret, and the variable that stands for it. One that is too short to be told from other text is left. */
  add(secret: string | undefined, variable: string): void {
    if (secret !== undefined && secret.length >= 4) this.#known.set(secret, variable);
  }

  /** The text, with variables for secrets; longer secrets first, as one may hold another. */
  hide(text: string): string {
    const longestFirst = [...this.#known].toSorted(([one], [other]) => other.length - one.length);
    return longestFirst.reduce((hidden, [secret, variable]) => hidden.replaceAll(secret, `$${variable}`), text);
  }
}

/** A call and what came of it. */
export function shownExchange(answer: Answer, clientUrl: string, secrets: Secrets): Exchange {
  const { call, status, headers, body, problem, detail } = answer;
  const hide = (text: string) => secrets.hide(text);
  const shownHeaders = (list: HeaderList) => list.slice(0, 50).map(([name, value]) => [name, cut(hide(value))]);
  const sent = call.body === undefined ? null : cut(hide(call.body.toString('utf8')));
  const url = hide(`${(call.base ?? clientUrl).replace(/\/$/, '')}${maskUrl(call.path)}`);
  return {
    curl: curl(call.method, url, shownHeaders(call.headers), sent),
    method: call.method,
    url,
    request_headers: shownHeaders(call.headers) as Exchange['request_headers'],
    request_body: sent,
    status: status ?? null,
    reply_headers: shownHeaders(headers) as Exchange['reply_headers'],
    reply_body: status === undefined ? null : cut(hide(body.toString('utf8'))),
    problem: problem === undefined ? null : `${problem}: ${detail ?? ''}`,
  };
}

function curl(method: string, url: string, headers: readonly (readonly string[])[], body: string | null): string {
  const parts = [
    `curl -i ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** For a shell: in double quotes where a variable is to be filled in, else in single ones. */
function quoted(text: string): string {
  if (!/\$[A-Z_]+/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `"${text.replaceAll(/(["\\`]|\$(?![A-Z_]))/g, '\\$1')}"`;
}

function cut(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}...`;
}
