import { pickFields, shapeOf } from '../../../sandbox/contract/body.ts';
import { at, follow, type Node, type Operation, type Parameter } from '../../../sandbox/contract/document.ts';
import type { Callers } from '../../harness/callers.ts';
import type { Sent } from '../../harness/wire.ts';
import { oddTexts, oddValues, type Source, validValue } from './values.ts';

/** The parts of a request before serialization. `text` replaces a body that is not valid JSON. */
export interface Parts {
  method: string;
  prefix: string;
  path: Record<string, string>;
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  body: unknown;
  text?: string;
  /** A suffix for the path. */
  tail: string;
}

/** The change that corrupted a request: its description, and the possible reply statuses if they are known. */
export interface Spoiled {
  readonly what: string;
  readonly statuses?: readonly number[];
  /** Whether the request may match no operation. Then a reply for an unknown path or method is valid too. */
  readonly elsewhere?: boolean;
}

/** Generates a request that the operation's contract accepts. */
export function validParts(operation: Operation, prefix: string, source: Source, callers: Callers): Parts {
  const { draw } = source;
  const { method, security, parameters, body } = operation;
  const parts: Parts = { method, prefix, path: {}, query: [], headers: [], body: undefined, tail: '' };
  if (security.length > 0) parts.headers.push(['Authorization', callers.for(draw.pick(security))]);
  for (const parameter of parameters) {
    if (!parameter.required && draw.chance(60)) continue;
    const value = String(validValue(source, parameter.schema, parameter.name));
    if (parameter.in === 'path') parts.path[parameter.name] = encoded(value);
    else if (parameter.in === 'query') parts.query.push([parameter.name, encoded(value)]);
    else parts.headers.push([parameter.name, asHeader(value)]);
  }
  if (body !== undefined) {
    parts.body = validValue(source, body.schema);
    parts.headers.push(['Content-Type', draw.pick(['application/json', 'application/json; charset=utf-8'])]);
  }
  return parts;
}

/** Replaces characters that a header cannot carry (RFC 9110, 5.5). */
function asHeader(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replace(/[^\t -~\x80-\xff]/g, '?');
}

export function serialize({ path, query, ...parts }: Parts, operation: Operation): Sent {
  const route = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const body = parts.text ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
  return {
    method: parts.method,
    path: `${parts.prefix}${route}${parts.tail}${search === '' ? '' : `?${search}`}`,
    headers: parts.headers,
    ...(body !== undefined && { body }),
  };
}

/** Percent-encodes text, including dots, so that no path segment is a dot segment. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
}

/** Corrupts the request in a random way. */
export function spoil(parts: Parts, operation: Operation, source: Source, callers: Callers): Spoiled {
  const { draw } = source;
  const ways = [
    ...(operation.security.length > 0 ? [spoilCredentials, spoilCredentials] : []),
    ...(operation.parameters.length > 0 ? [spoilParameter, spoilParameter] : []),
    ...(operation.body === undefined ? [] : [spoilText, spoilField, spoilField, spoilField, spoilField]),
    spoilFrame,
  ];
  return draw.pick(ways)(parts, operation, source, callers);
}

function spoilCredentials(
  parts: Parts,
  { security, hostedBy }: Operation,
  { draw }: Source,
  callers: Callers,
): Spoiled {
  const [right] = parts.headers.splice(0, 1);
  const refusalStatus = hostedBy === 'client' && !security.includes('basic') ? 422 : 401;
  const wrong = draw.pick(['none', 'garbage', 'other', 'cut', 'twice'] as const);
  const value = right?.[1] ?? '';
  if (wrong === 'twice') {
    parts.headers.unshift(['Authorization', value], ['authorization', value]);
    return { what: 'Authorization twice', statuses: [400] };
  }
  if (wrong === 'garbage')
    parts.headers.unshift(['Authorization', draw.pick(['', 'Bearer', 'Bearer x', 'Basic x:y', '::'])]);
  if (wrong === 'other') parts.headers.unshift(['Authorization', draw.pick(callers.others(security))]);
  if (wrong === 'cut') parts.headers.unshift(['Authorization', value.slice(0, -3)]);
  // The control API accepts calls without a token from this machine (OP-65).
  const isAccepted = wrong === 'none' && security.includes('adminToken');
  return { what: `credentials: ${wrong}`, ...(!isAccepted && { statuses: [refusalStatus] }) };
}

const badParameters = [...oddTexts, 'x', '', '-1', '1.5', '9'.repeat(30), '٥', 'x'.repeat(1100)];

function spoilParameter(parts: Parts, operation: Operation, source: Source): Spoiled {
  const { draw } = source;
  const parameter = draw.pick(operation.parameters);
  const { name } = parameter;
  if (parameter.in === 'header') {
    parts.headers = parts.headers.filter(([header]) => header !== name);
    parts.headers.push([name, draw.pick(['', 'two words', 'x'.repeat(300), 'é'])]);
    return { what: `header ${name}`, ...(name === 'Idempotency-Key' && { statuses: [400] }) };
  }
  const text = draw.pick(badParameters);
  if (parameter.in === 'path') {
    parts.path[name] = draw.chance(15) ? draw.pick(['%', '%zz', '%ff', '%2F', '']) : encoded(text);
    return { what: `path parameter ${name}`, elsewhere: true };
  }
  return spoilQuery(parts, parameter, text, source);
}

function spoilQuery(parts: Parts, { name, required, schema }: Parameter, text: string, source: Source): Spoiled {
  const { draw, contract } = source;
  parts.query = parts.query.filter(([key]) => key !== name);
  const how = draw.pick(['missing', 'twice', 'raw', 'odd', 'odd', 'odd'] as const);
  const refusalStatus = parts.prefix === '/client' ? 422 : 400;
  if (how === 'missing') return { what: `query without ${name}`, ...(required && { statuses: [refusalStatus] }) };
  if (how === 'twice') {
    parts.query.push([name, '1'], [name, '1']);
    return { what: `query ${name} twice`, statuses: [refusalStatus] };
  }
  if (how === 'raw') {
    parts.query.push([name, draw.pick(['%', '%zz', '%ff', '+', '[]'])]);
    return { what: `query ${name} badly encoded` };
  }
  parts.query.push([name, encoded(text)]);
  const bad = contract.schemas.check(schema)(text) !== undefined && !/^[0-9]+$/.test(text);
  return { what: `query ${name}`, ...(bad && { statuses: [refusalStatus] }) };
}

/** Corrupts the body as a whole: its syntax, size, depth, media type or encoding. */
function spoilText(parts: Parts, { body: documented }: Operation, { draw }: Source): Spoiled {
  const good = JSON.stringify(parts.body);
  const how = draw.pick(['broken', 'huge', 'deep', 'type', 'compressed'] as const);
  if (how === 'huge') {
    parts.text = good.padEnd(64 * 1024 + draw.integer(1, 5000), ' ');
    return { what: 'a huge body', statuses: [413] };
  }
  if (how === 'type' || how === 'compressed') {
    parts.headers = parts.headers.filter(([name]) => name !== 'Content-Type');
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'json'];
    if (how === 'type') parts.headers.push(['Content-Type', draw.pick(types)]);
    else parts.headers.push(['Content-Type', 'application/json'], ['Content-Encoding', 'gzip']);
    return { what: 'a body of another type', statuses: [415] };
  }
  const deep = `{"a":${'['.repeat(20)}${']'.repeat(20)},${good.slice(1)}`;
  const broken = [good.slice(0, -1), `${good},`, '', '{', 'NaN', '{"a":01}', `${good}${good}`, "{'a':1}", 'uid=1'];
  parts.text = how === 'deep' ? deep : draw.pick(broken);
  const isOmitted = parts.text === '' && !documented?.required;
  return { what: 'a body that is not well-formed', ...(!isOmitted && { statuses: [400] }) };
}

/** Changes one part of a body. The contract's schema decides whether the body is still valid. */
function spoilField(parts: Parts, operation: Operation, source: Source): Spoiled {
  const body = operation.body?.schema ?? '';
  const { draw, contract } = source;
  const whole = structuredClone(parts.body) as Record<string, unknown>;
  const place = holder(whole, source);
  const name = draw.pick([...Object.keys(place), ...fieldsOf(source, body)]);
  const how = draw.pick(['type', 'missing', 'extra', 'range', 'other'] as const);
  if (how === 'missing') delete place[name];
  else if (how === 'extra') Object.assign(place, { surplus: draw.pick(oddValues) });
  else if (how === 'range') place[name] = draw.pick([-1, 2 ** 53, 1e15, 0, '', 'x'.repeat(2100), '0'.repeat(20), []]);
  else place[name] = draw.pick(oddValues);
  parts.body = draw.chance(5) ? draw.pick([[], [whole], 'text', 5, null]) : whole;
  // JSON.parse creates an own property with this name. An object literal would not.
  const poison = draw.pick(['"__proto__":{"uid":"x"}', '"constructor":{"prototype":{"a":1}}', '"toString":1']);
  const text = JSON.stringify(parts.body);
  if (how === 'extra' && text.startsWith('{"')) parts.text = `{${poison},${text.slice(1)}`;
  // Unknown fields are removed at every level before validation (OP-38), unless the operation refuses them (OP-246).
  const isClosed = operation.body?.closed === true;
  const fields = isClosed ? parts.body : pickFields(parts.body, shapeOf(contract.bundle, body), []);
  const bad = contract.schemas.check(body)(fields) !== undefined;
  // A lone surrogate, which needs an escape, is detected before any other issue (OP-81).
  const refusalStatus = parts.prefix === '/client' && !/\\ud[89a-f]/.test(text) ? 422 : 400;
  return { what: `body: ${how} ${name}`, ...(bad && how !== 'extra' && { statuses: [refusalStatus] }) };
}

/** Returns the body itself or an object inside it. */
function holder(whole: Record<string, unknown>, { draw }: Source): Record<string, unknown> {
  const inner = Object.values(whole)
    .flat()
    .filter((value) => value !== null && typeof value === 'object');
  return inner.length > 0 && draw.chance(50) ? (draw.pick(inner) as Record<string, unknown>) : whole;
}

function fieldsOf({ contract }: Source, pointer: string): string[] {
  const schema = at(contract.bundle, follow(contract.bundle, pointer)) as Node;
  return Object.keys((schema.properties ?? { surplus: {} }) as Node);
}

/** Changes the method or extends the path to an unknown one. */
function spoilFrame(parts: Parts, _: Operation, { draw }: Source): Spoiled {
  if (draw.chance(50)) {
    parts.method = draw.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']);
    return { what: `the method ${parts.method}`, elsewhere: true };
  }
  parts.tail = draw.pick(['/', '/more', '.json', ';a=b', '/__proto__', '//', '/%00', '/%']);
  return { what: `the path with ${parts.tail} behind it`, elsewhere: true };
}
