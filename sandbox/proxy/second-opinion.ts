import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { validateInput, validateSecurity } from '@stoplight/prism-http/dist/validator/index.js';
import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { ValidationContext } from '@stoplight/prism-http/dist/validator/validators/types.js';
import { lookAt } from '../conformance/check-body.ts';
import { type Checker, isRefusedUnread, type Verdict } from '../conformance/checker.ts';
import type { CheckedOperation } from '../conformance/contracts.ts';
import { type Exchange, namedHeaders } from '../conformance/exchange.ts';
import {
  cut,
  displayValue,
  type Finding,
  type Flaw,
  finding,
  type MessagePart,
  onePerPlace,
} from '../conformance/finding.ts';
import type { Opinion } from '../conformance/finding-collector.ts';
import { formFields } from '../contract/body.ts';
import { mostIssues } from '../contract/schemas.ts';

type Direction = Finding['direction'];

/** Prism's view of each operation that it knows. */
type Views = ReadonlyMap<CheckedOperation, PrismView>;

function requestFlaws(exchange: Exchange, operation: CheckedOperation, views: Views): readonly Flaw[] {
  const { path, request } = exchange;
  const view = views.get(operation);
  if (view === undefined || request.headers === undefined) return [];
  const { requestRule } = operation;
  const body = isRefusedUnread(exchange, operation) ? undefined : lookAt(request, requestRule).value;
  const headers = namedHeaders(request.headers, requestRule.headers);
  const [place = '', text = ''] = path.split('?');
  const query = formFields(text);
  const element = { method: operation.method.toLowerCase(), url: { path: place, query }, headers, body };
  const values = { query, header: headers, body };
  return [
    ...view.request(element).flatMap((said) => flawOf(operation, said, values)),
    ...view.credentials(element).map(({ message }) => flaw('credential.scheme', '/headers/authorization', message)),
  ];
}

function replyFlaws({ method, reply, server }: Exchange, operation: CheckedOperation, views: Views): readonly Flaw[] {
  const view = views.get(operation);
  const rule = operation.replyRules.get(reply?.status ?? 0);
  if (view === undefined || reply?.headers === undefined || rule === undefined || server === 'webhook') return [];
  const { type = rule.types[0], value } = method === 'HEAD' ? {} : lookAt(reply, rule);
  const named = namedHeaders(reply.headers, rule.headers);
  const said = [
    ...view.headers(reply.status, { ...named, ...(type !== undefined && { 'content-type': type }) }),
    ...(value === undefined || rule.schema === undefined ? [] : view.body(reply.status, value, type)),
  ];
  return said.flatMap((each) => flawOf(operation, each, { header: named, body: value }));
}

/**
 * Loads Prism with the contracts of a checker, to run it alongside the validator. They share no code, so each can reveal
 * defects of the other. The findings are warnings. Each one indicates an error in the validator or in Prism. Rejects if
 * Prism is not installed.
 */
export async function loadSecondOpinion(checker: Checker) {
  const views = await loadViews(checker);
  /** Compares Prism's findings in a message with those of the validator. */
  const compare = (exchange: Exchange, operation: CheckedOperation, direction: Direction, all: readonly Finding[]) => {
    const found = all.filter((one) => one.direction === direction);
    // If a message already has the maximum number of findings, Prism cannot add any.
    if (found.length >= mostIssues) return { prismOnly: [], validatorOnly: [] };
    const said = (direction === 'request' ? requestFlaws : replyFlaws)(exchange, operation, views);
    const ours = new Set(found.map(({ pointer }) => partAt(pointer)));
    const prisms = new Set(said.map(({ pointer }) => partAt(pointer)));
    const alone = onePerPlace(said).filter(({ pointer }) => !ours.has(partAt(pointer)));
    const place = checker.findingPlaceOf(operation, direction === 'reply' ? exchange.reply?.status : undefined);
    return {
      prismOnly: alone.slice(0, mostIssues).map(
        (each): Finding => ({
          ...finding(exchange, place, direction, each),
          severity: 'warning',
          source: 'prism',
        }),
      ),
      validatorOnly: found.filter((one) => isPrismsToo(one) && !prisms.has(partAt(one.pointer))),
    };
  };
  return {
    /** Returns Prism's opinion on a checked exchange. */
    of(exchange: Exchange, { operation, findings }: Verdict): Opinion {
      const isUnreadable = findings.some(({ code }) => code === 'request.url.malformed');
      if (operation === undefined || isUnreadable) return { prismOnly: [], validatorOnly: [] };
      const request = compare(exchange, operation.asHost ?? operation, 'request', findings);
      const reply = compare(exchange, operation, 'reply', findings);
      return {
        prismOnly: [...request.prismOnly, ...reply.prismOnly],
        validatorOnly: [...request.validatorOnly, ...reply.validatorOnly],
      };
    },
  };
}

export type SecondOpinion = Awaited<ReturnType<typeof loadSecondOpinion>>;

async function loadViews(checker: Checker): Promise<Views> {
  const views = new Map<CheckedOperation, PrismView>();
  const asTaken = Object.values(checker.contracts).flat();
  const all = new Set(asTaken.flatMap((operation) => [operation, operation.asHost ?? operation]));
  const byContract = Map.groupBy(all, ({ contract }) => contract);
  for (const [{ bundle }, operations] of byContract) {
    const parsed = await getHttpOperationsFromSpec(structuredClone(bundle));
    for (const operation of operations) {
      const found = parsed.find(
        ({ method, path }) => method.toUpperCase() === operation.method && path === operation.path,
      );
      if (found !== undefined) views.set(operation, viewOf(found));
    }
  }
  return views;
}

const parts: Readonly<Record<string, MessagePart>> = { query: 'query', path: 'path', header: 'header', body: 'body' };

/** The values of the parts of a message, which findings show. */
type Values = Readonly<Partial<Record<MessagePart, unknown>>>;

/** Converts a Prism diagnostic to an issue, with Prism's own message. Returns none if it refers to no part of the message. */
function flawOf(operation: CheckedOperation, { path = [], code = 'invalid', message }: Diagnostic, values: Values) {
  const part = parts[String(path[0])];
  if (part === undefined) return [];
  const missing = part === 'body' ? undefined : /must have required property '(.*)'/.exec(message)?.[1];
  const steps = missing === undefined ? path.slice(1) : [missing];
  const pointer = ['', part === 'header' ? 'headers' : part, ...steps].join('/');
  const valueAt = (at: unknown, step: string | number) => (at as Record<string, unknown> | null | undefined)?.[step];
  const value = steps.reduce<unknown>(valueAt, values[part]);
  return [flaw(`${part}.${code}`, pointer, message, displayValue(`/${steps.join('/')}`, value), operation.pointer)];
}

function flaw(code: Flaw['code'], pointer: string, expected: string, actual = 'see the message', rule = ''): Flaw {
  return { code, pointer, expected: cut(expected), actual, rule };
}

/**
 * Returns the part that two findings must share to count as the same. In a body, both tools report the same problem at
 * different positions.
 */
function partAt(pointer: string): string {
  return pointer.startsWith('/body') ? '/body' : pointer.toLowerCase();
}

/** Matches rules that only the validator has. Prism receives only bodies that exist, are readable, and have a documented type. */
const ours = /\.(?:missing|malformed|undecodable|undocumented|unchecked|too-deep|other-customer)$/;

function isPrismsToo({ code }: Finding): boolean {
  return code.includes('.credential.') || !ours.test(code);
}

type ParsedOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

type PrismView = ReturnType<typeof viewOf>;

/** Returns functions that validate an operation's messages with Prism. They return an empty list if a message is valid. */
function viewOf(found: ParsedOperation) {
  // If the path has no parameters, matching it against its template is unnecessary work for Prism.
  const { path, ...request } = found.request ?? {};
  const resource = (path?.length ? found : { ...found, request }) as ParsedOperation;
  const { __bundled__: bundled } = resource as { readonly __bundled__?: unknown };
  const replies = new Map(resource.responses.map((reply) => [Number(reply.code), reply]));
  return {
    request: (element: object) => complaints(validateInput({ resource, element } as never)),
    credentials: (element: object) => complaints(validateSecurity({ resource, element } as never)),
    headers: (status: number, values: Readonly<Record<string, string>>) => {
      const headers = (replies.get(status)?.headers ?? []) as never;
      return complaints(validators.validateHeaders(values, headers, ValidationContext.Output, bundled));
    },
    body: (status: number, value: unknown, type: string | undefined) => {
      const { contents = [] } = replies.get(status) ?? {};
      return complaints(validators.validateBody(value, contents, ValidationContext.Output, type, undefined, bundled));
    },
  };
}

/** Returns Prism's diagnostics; an empty list if there are none. */
function complaints(outcome: unknown): readonly Diagnostic[] {
  const { _tag, left = [] } = outcome as { readonly _tag: string; readonly left?: readonly Diagnostic[] };
  return _tag === 'Left' ? left : [];
}

/** A Prism diagnostic for one position in a message. */
interface Diagnostic {
  readonly path?: readonly (string | number)[];
  readonly code?: string | number;
  readonly message: string;
}
