/**
 * The Bruno collection and the `.http` file contain the same calls as the Postman collection, in the same order. `npm run test:tools`,
 * started by `.ci/run`, checks that the tools can read and send them.
 */
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { brunoArchive, brunoFiles } from '../../tools/docs/collections/bruno.ts';
import { allCalls, type Call, type Group, isGroup } from '../../tools/docs/collections/calls.ts';
import { httpFile } from '../../tools/docs/collections/http-file.ts';

const { groups, variables } = allCalls();
const flat = (part: Group | Call): Call[] => (isGroup(part) ? part.parts.flatMap(flat) : [part]);
const calls = groups.flatMap(flat);
const variablesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);

/** Returns the target of a call, with path parameters in a format's syntax. */
function target({ base, path, query, inPath }: Call, inPathAs: (key: string, value: string) => string) {
  const filledPath = inPath.reduce((text, { key, value }) => text.replace(`{${key}}`, inPathAs(key, value)), path);
  const pairs = query.filter((one) => one.sent).map(({ key, value }) => `${key}=${value}`);
  return `{{${base}}}${filledPath}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

it('there are about a hundred calls, and each variable that they use is defined', () => {
  expect(calls.length).toBeGreaterThan(95);
  expect(variablesIn(JSON.stringify(calls)).filter((name) => variables[name] === undefined)).toEqual([]);
});

describe('Bruno', () => {
  const files = Object.entries(brunoFiles());
  const requests = files.filter(([, text]) => text.includes('type: http'));

  it('the archive has the files below one folder, and each build is identical', () => {
    const unpacked = Object.entries(unzipSync(brunoArchive())).map(([path, bytes]) => [path, strFromU8(bytes)]);
    expect(unpacked).toEqual(files.map(([path, text]) => [`rewards-sandbox-bruno/${path}`, text]));
    expect(brunoArchive()).toEqual(brunoArchive());
  });

  it('paths sort in the order of the calls, and are valid on Windows', () => {
    const paths = requests.map(([path]) => path);
    expect(paths.toSorted()).toEqual(paths);
    expect(files.filter(([path]) => /[<>:"\\|?*]|[. ]\/|\.\.|^\//.test(path))).toEqual([]);
    expect(Math.max(...files.map(([path]) => path.length))).toBeLessThan(160);
  });

  it('each call has its name, method, address, credential and body', () => {
    const actual = requests.map(([, text]) => ({
      name: /^ {2}name: (.*)$/m.exec(text)?.[1],
      method: /^\}\n\n(\w+) \{\n {2}url: /m.exec(text)?.[1],
      url: /^ {2}url: (.*)$/m.exec(text)?.[1],
      credential: /^ {2}(?:Authorization|token|password): (.*)$/m.exec(text)?.[1],
      body: /^body:json \{\n([\s\S]*?)^\}/m.exec(text)?.[1],
    }));
    const expected = calls.map((call) => ({
      name: call.name,
      method: call.method.toLowerCase(),
      url: target(call, (key) => `:${key}`),
      credential: call.credential?.scheme === 'basic' ? call.credential.password : call.credential?.token,
      body: call.body === undefined ? undefined : `${call.body.replaceAll(/^/gm, '  ')}\n`,
    }));
    expect(actual).toEqual(expected);
  });
});

describe('.http', () => {
  const text = httpFile();
  const parts = text.split(/^### /m).slice(1);

  it('each call is under its folders, with its address, credential and body', () => {
    const actual = parts.map((part) => {
      const [name, request, ...rest] = part.split('\n');
      const authorization = rest
        .find((line) => line.startsWith('Authorization: '))
        ?.split(' ')
        .at(-1);
      const body = /^\{\n[\s\S]*?^\}$|^\{\}$/m.exec(part.split('> {%')[0] ?? '')?.[0];
      return { name: name?.split(' / ').at(-1), request, authorization, body };
    });
    const expected = calls.map((call) => ({
      name: call.name,
      request: `${call.method} ${target(call, (_, value) => value)}`,
      authorization: call.credential?.scheme === 'basic' ? call.credential.password : call.credential?.token,
      body: call.body,
    }));
    expect(actual).toEqual(expected);
  });

  it('each variable is set at the top, or by a call before its first use', () => {
    const defined = new Set([...text.matchAll(/^@(\w+) = /gm)].map(([, name]) => name));
    for (const part of parts) {
      expect({ part, unknown: variablesIn(part).filter((name) => !defined.has(name)) }).toEqual({ part, unknown: [] });
      for (const [, name] of part.matchAll(/client\.global\.set\('(\w+)'/g)) defined.add(name);
    }
  });

  it('each call fails if it is refused', () => {
    expect(parts.filter((part) => !part.includes('client.assert(response.status < 400'))).toEqual([]);
  });
});
