/** Tests the requests that the reference console sends for each operation, and the values it reads from responses. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { operationsOf, readBundle } from '../../tools/docs/bundles.ts';
import { type ConsoleCall, consoleCallsOf, consoleContracts, type Steps } from '../../tools/docs/console-calls.ts';
import { journey } from '../../tools/docs/demo-values.ts';
import { givenOf } from '../../tools/docs/request.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';

type SentRequest = { path: string; method: string; headers: Record<string, string>; body?: string };
type Fill = (text: string) => string;
type SignInCalls = {
  post(path: string, body: unknown, credential?: string): Promise<Record<string, string>>;
  readOtp(reference: string): Promise<string | undefined>;
};

// Browser modules define their types in comments, which TypeScript does not read here.
const folder = new URL('../../tools/docs/reference/console/', import.meta.url);
const { requestOf, filler, variablesIn } = (await import(new URL('request.js', folder).href)) as {
  requestOf(call: ConsoleCall, entered: { parameters: Record<string, string>; body: string }, fill: Fill): SentRequest;
  filler(variables: Record<string, string>, setBy: Record<string, string>): Fill;
  variablesIn(keeps: Steps, document: unknown): Record<string, string>;
};
const { sentText, sentCurl } = (await import(new URL('sent.js', folder).href)) as Record<
  'sentText' | 'sentCurl',
  (request: { url: string; method: string; headers: Record<string, string>; body?: string }) => string
>;
const { shownBody, documentOf, redeemCodesIn, findingText, traceAddress, redemptionAddress } = (await import(
  new URL('reply.js', folder).href
)) as {
  shownBody(text: string): string;
  documentOf(text: string): unknown;
  redeemCodesIn(document: unknown): string[];
  findingText(finding: object): string;
  traceAddress(trace: string): string;
  redemptionAddress(code: string): string;
};
const { authorizationBy } = (await import(
  new URL('../../sandbox/dashboard/browser/authorization.ts', import.meta.url).href
)) as {
  authorizationBy(calls: SignInCalls, scheme: string, credentials: object, uid: string): Promise<string | undefined>;
};

const all = consoleContracts.map((api) => ({ api, ...consoleCallsOf(api) }));
const asIs: Fill = (text) => text;
const prefilled = ({ parameters, body = '' }: ConsoleCall) => ({
  parameters: Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}`, one.value])),
  body,
});
const call: ConsoleCall = {
  operationId: 'updateThing',
  method: 'POST',
  path: '/things/{id}',
  parameters: [
    { name: 'id', in: 'path', value: '', example: '1', required: true },
    { name: 'q', in: 'query', value: '', example: 'x', required: false },
    { name: 'Idempotency-Key', in: 'header', value: '', example: 'k', required: false },
  ],
  body: '{}',
  schemes: ['none'],
  keeps: {},
};

describe('prefilled calls', () => {
  it('every operation that a program calls at the sandbox has one, with a value for each required parameter', () => {
    for (const { api, calls } of all) {
      const operations = operationsOf(readBundle(api)).map(({ operation }) => operation.operationId);
      expect(Object.values(calls).map(({ operationId }) => operationId)).toEqual(operations);
      const empty = Object.values(calls).flatMap(({ operationId, parameters }) =>
        parameters.filter(({ required, value }) => required && value === '').map(({ name }) => [operationId, name]),
      );
      expect({ api, empty }).toEqual({ api, empty: [] });
    }
  });

  it('samples and console are one example, but for what earlier calls return', () => {
    /** Replaces the console's variables with the values from the sample. */
    const merged = (sample: Record<string, unknown>, entered: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(entered).map(([name, value]) => [
          name,
          JSON.stringify(value).includes('{{') ? sample[name] : value,
        ]),
      );
    for (const { api, calls } of all) {
      const bundle = readBundle(api);
      for (const called of operationsOf(bundle)) {
        const id = called.operation.operationId;
        const given = givenOf({ bundle, api, ...called });
        const { body, parameters } = calls[id.toLowerCase()] as ConsoleCall;
        const sample = JSON.parse(JSON.stringify(given.body ?? {}));
        expect({ id, body: sample }).toEqual({ id, body: merged(sample, JSON.parse(body ?? '{}')) });
        const values = Object.fromEntries(given.parameters.map(({ name, example }) => [name, String(example)]));
        const sent = parameters.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]);
        expect({ id, values }).toEqual({ id, values: merged(values, Object.fromEntries(sent)) });
      }
    }
  });

  it('every variable in one of them is in the workspace, is set by an operation, or is random', () => {
    const names = [...JSON.stringify(all.map(({ calls }) => calls)).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    const defined = all.flatMap(({ setBy, ofWorkspace }) => [...Object.keys(setBy), ...Object.keys(ofWorkspace)]);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => name !== 'RANDOM' && !defined.includes(name ?? ''))).toEqual([]);
  });

  it('the journey from sign-in to voucher is accepted as it is prefilled, in order', async () => {
    const sandbox = await testSandbox();
    const statuses = await sendJourney(sandbox);
    expect(statuses).toEqual(journey.map((id) => [id, expect.toBeOneOf([200, 201])]));
  });
});

/** Sends the journey like a reader who presses only "Send". Returns each operation's status. */
async function sendJourney({ origin, workspace }: TestSandbox): Promise<[string, number][]> {
  const variables: Record<string, string> = {};
  const post: SignInCalls['post'] = async (path, body, credential) => {
    const headers = { 'Content-Type': 'application/json', ...(credential && { Authorization: credential }) };
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const readOtp: SignInCalls['readOtp'] = async (reference) => {
    const response = await fetch(`${origin}/sandbox/v1/messages?reference_id=${reference}`);
    return ((await response.json()) as { items: { otp?: string }[] }).items[0]?.otp;
  };
  const statuses: [string, number][] = [];
  for (const id of journey) {
    const contract = all.find(({ calls }) => calls[id.toLowerCase()] !== undefined);
    const one = contract?.calls[id.toLowerCase()];
    if (contract === undefined || one === undefined) throw new Error(`There is no call ${id}.`);
    Object.assign(variables, variablesIn(contract.ofWorkspace, workspace));
    const { path, ...init } = requestOf(one, prefilled(one), filler(variables, contract.setBy));
    const header = await authorizationBy({ post, readOtp }, one.schemes[0] ?? '', workspace.credentials, 'CUST0007');
    if (header !== undefined) init.headers.Authorization = header;
    const response = await fetch(origin + path, init);
    Object.assign(variables, variablesIn(one.keeps, await response.json()));
    statuses.push([id, response.status]);
  }
  return statuses;
}

describe('requests', () => {
  const entered = { parameters: { 'path id': ' a/b?c ', 'query q': 'x&y', 'header Idempotency-Key': '' }, body: '' };

  it('values are encoded, empty ones are not sent, and the path stays below the operation', () => {
    expect(requestOf(call, entered, asIs)).toEqual({ path: '/things/a%2Fb%3Fc?q=x%26y', method: 'POST', headers: {} });
    for (const id of ['', '.', '..'])
      expect(() => requestOf(call, { parameters: { 'path id': id }, body: '' }, asIs)).toThrow('Enter a value for id.');
  });

  it('variables are filled in after the body was parsed, so a quote in a value does no harm', () => {
    const fill = filler({ SECRET: 'a"b' }, {});
    const body = '{ "secret": "{{SECRET}}", "list": ["x {{SECRET}}", 1] }';
    expect(requestOf(call, { parameters: { 'path id': '1' }, body }, fill)).toEqual({
      path: '/things/1',
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"secret":"a\\"b","list":["x a\\"b",1]}',
    });
    expect(() => requestOf(call, { parameters: { 'path id': '1' }, body: '{' }, asIs)).toThrow(
      'The body is not JSON: ',
    );
  });

  it('a request is shown as it was sent, and as a curl command that a shell reads back', () => {
    const sent = {
      method: 'POST',
      url: 'http://127.0.0.1:4010/rewards/v1/x?q=1',
      headers: { Authorization: 'Bearer a', 'Content-Type': 'application/json' },
      body: `{"name":"O'Hara"}`,
    };
    expect(sentText(sent)).toBe(
      `POST http://127.0.0.1:4010/rewards/v1/x?q=1\nAuthorization: Bearer a\nContent-Type: application/json\n\n{\n  "name": "O'Hara"\n}`,
    );
    expect(sentText({ ...sent, method: 'GET', headers: {}, body: undefined } as never)).toBe(
      'GET http://127.0.0.1:4010/rewards/v1/x?q=1',
    );
    const shell = `curl() { printf '<%s>' "$@"; }; ${sentCurl(sent)}`;
    expect(execFileSync('sh', ['-c', shell], { encoding: 'utf8' })).toBe(
      `<-i><-X><POST><${sent.url}><-H><Authorization: Bearer a><-H><Content-Type: application/json><--data><${sent.body}>`,
    );
  });

  it('a variable without a value names the operation that sets it', () => {
    const fill = filler({}, { OTP: 'listMessages' });
    expect(() => fill('{{OTP}}')).toThrow(
      '{{OTP}} has no value yet. Send listMessages first, or replace it with a value of your own.',
    );
    expect(() => fill('{{OTHER}}')).toThrow('{{OTHER}} has no value yet. Replace it with a value of your own.');
  });

  it('a random value differs each time', () => {
    const fill = filler({}, {});
    const [first, second] = [fill('{{RANDOM}}'), fill('{{RANDOM}}')];
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });
});

describe('responses', () => {
  test('variables are read by steps; a star stands for the first item that has the next step', () => {
    const keeps = { OTP: ['items', '*', 'otp'], CODE: ['lines', '0', 'redeemCode'], NONE: ['a', 'b'], ODD: ['lines'] };
    const document = { items: [{ text: 'x' }, { otp: '123456' }], lines: [{ redeemCode: 'RDM-1' }] };
    expect(variablesIn(keeps, document)).toEqual({ OTP: '123456', CODE: 'RDM-1' });
    expect(variablesIn(keeps, undefined)).toEqual({});
  });

  test('JSON is indented, and any other body stays as it is', () => {
    expect([shownBody('{"a":1}'), shownBody('data: x\n'), documentOf('')]).toEqual([
      '{\n  "a": 1\n}',
      'data: x\n',
      undefined,
    ]);
  });

  test('redeem codes are found anywhere, each once, and link to the dashboard encoded', () => {
    const line = { redeemCode: 'RDM-1' };
    const document = { lines: [line, line], data: [{ redemptionCode: 'RDM-2' }], redeem_code: 'RDM-3', redeemCode: 4 };
    expect(redeemCodesIn(document)).toEqual(['RDM-1', 'RDM-2', 'RDM-3']);
    expect(redeemCodesIn(undefined)).toEqual([]);
    expect([traceAddress('a&b'), redemptionAddress('a/b')]).toEqual([
      '/dashboard/traffic?q=a%26b',
      '/dashboard/redemptions/a%2Fb',
    ]);
  });

  test('a finding names the call, the place in it and what was expected', () => {
    const finding = { method: 'POST', url: '/client/x?uid=1', direction: 'reply', expected: 'must be an integer' };
    const fullFinding = { ...finding, operation: 'getPoints', pointer: '/body/points', actual: '"2500"' };
    expect([findingText(finding), findingText({ ...fullFinding, direction: 'request' })]).toEqual([
      'POST /client/x, response: must be an integer',
      'getPoints, request /body/points: must be an integer, got "2500"',
    ]);
  });
});
