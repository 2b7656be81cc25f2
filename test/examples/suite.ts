/** Declares the tests of one example: its own tests, unusual requests, journeys through the sandbox's platform, and its certification. */
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { byCommand } from '../../sandbox/cli/otp-command.ts';
import { realTimer } from '../../sandbox/runtime/clock.ts';
import { run } from '../harness/command.ts';
import { tokenInvalid, wrapped } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { balance, basic, code, jwt, post, profile, service, verify } from './calls.ts';
import { edges } from './edges.ts';
import {
  cleanUp,
  type ExampleServer,
  folderOf,
  ownTests,
  type RunnableLanguage,
  startExample,
  terminated,
} from './servers.ts';

/** Returns the code that the command from `certify.yaml` finds in the server's output. */
async function codeByConfiguration(printed: string, reference_id: string): Promise<string> {
  const { otp } = parse(await readFile(`${folderOf('starter')}certify.yaml`, 'utf8'));
  const log = `${await temporaryFolder()}/server.log`;
  await writeFile(log, printed);
  return byCommand(otp.command.replace('server.log', log), realTimer)({ customer_id: '', reference_id });
}

/** Declares the tests of a language's example. */
export function exampleSuite(language: RunnableLanguage): void {
  describe(`examples/${language}`, () => {
    let server: ExampleServer;

    beforeAll(async () => {
      server = await startExample(language);
    });

    afterAll(async () => {
      await server.stop();
      await cleanUp();
    });

    it.each(edges)('$title', async ({ holds }) => holds(server));

    it('OP-19: a correctly signed token is refused if it has expired, is not for the platform or not from the client', async () => {
      const secret = 'a-secret-of-the-tests-of-32-bytes-or-more';
      const other = await startExample(language, { JWT_SECRET: secret });
      const [head = '', claims = ''] = (await jwt(other)).split('.');
      const payload = JSON.parse(Buffer.from(claims, 'base64url').toString());
      const signed = (more: object) => {
        const text = `${head}.${Buffer.from(JSON.stringify({ ...payload, ...more })).toString('base64url')}`;
        return `Bearer ${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      };
      expect((await profile(other, 'CUST0001', signed({}))).status).toBe(200);
      const now = Math.floor(Date.now() / 1000);
      for (const wrong of [{ exp: now - 1 }, { exp: now }, { aud: 'somebody' }, { iss: 'somebody' }]) {
        expect(await profile(other, 'CUST0001', signed(wrong))).toEqual(tokenInvalid);
      }
      await other.stop();
    });

    it('OP-126: by default a customer gets five codes in ten minutes, and a sign-in resets the count', async () => {
      const limited = await startExample(language, { OTP_LIMIT: undefined });
      const ask = () => post(limited, '/api/v1/auth/generate-otp', { customer_id: 'CUST0001' }, basic(limited));
      for (const _ of [1, 2, 3, 4]) expect((await ask()).status).toBe(200);
      const { otp, reference_id } = await code(limited);
      expect(await ask()).toEqual(wrapped(422, 'Too many OTP requests. Try again later.'));
      expect((await verify(limited, 'CUST0001', otp, reference_id)).status).toBe(200);
      expect((await ask()).status).toBe(200);
      expect(limited.messages).toHaveLength(6);
      await limited.stop();
    });

    it('without a message gateway the server prints the message, and the command of certify.yaml finds the code there', async () => {
      const alone = await startExample(language, { MESSAGE_GATEWAY_URL: '' });
      const { body } = await post(alone, '/api/v1/auth/generate-otp', { customer_id: 'CUST0001' }, basic(alone));
      const { reference_id } = body as { reference_id: string };
      await expect.poll(alone.printed, { timeout: 10_000 }).toContain(reference_id);
      const otp = await codeByConfiguration(alone.printed(), reference_id);
      expect((await verify(alone, 'CUST0001', otp, reference_id)).status).toBe(200);
      await alone.stop();
    });

    it('a message gateway that accepts nothing causes a 503, after which another code can be requested', async () => {
      const cut = await startExample(language, { MESSAGE_GATEWAY_URL: `${server.url}/nothing-here` });
      const answer = await post(cut, '/api/v1/auth/generate-otp', { customer_id: 'CUST0001' }, basic(cut));
      expect(answer).toEqual(wrapped(503, 'Temporarily unavailable'));
      expect(await post(cut, '/api/v1/auth/generate-otp', { customer_id: 'CUST0001' }, service(cut))).toMatchObject({
        status: 401,
      });
      await cut.stop();
    });

    it('is certified in both versions, with codes from the message gateway of a sandbox', async () => {
      const sandbox = await testSandbox();
      const certified = await startExample(language, {
        OTP_LIMIT: undefined,
        // A short lifetime, because the run waits for a token to expire.
        TOKEN_SECONDS: '20',
        MESSAGE_GATEWAY_URL: `${sandbox.urls.gateway}/v1/messages`,
        MESSAGE_GATEWAY_AUTHORIZATION: `Bearer ${sandbox.credentials.gateway_token}`,
      });
      const { username, password } = certified.basic;
      const folder = await temporaryFolder();
      const [report, certificate] = [join(folder, 'certify.json'), join(folder, 'certificate.jws')];
      const ran = await run([
        ...['certify', '--client-url', certified.url, '--service-token', certified.serviceToken],
        ...['--basic', `${username}:${password}`, '--api', 'both', '--customer', 'CUST0001', '--customer', 'CUST0002'],
        ...['--otp-gateway', '--sandbox', sandbox.origin, '--data', folder],
        ...['--report', `json=${report}`, '--certificate', certificate],
      ]).ended;
      expect({ code: ran.code, output: ran.code === 0 ? '' : ran.stdout + ran.stderr }).toEqual({
        code: 0,
        output: '',
      });
      const result = JSON.parse(await readFile(report, 'utf8'));
      expect(result).toMatchObject({ outcome: 'passed', balances: 'restored', failures: [] });
      expect(result.counts).toMatchObject({ fail: 0, blocked: 0, suite_error: 0 });
      const checked = await run(['certificate', 'verify', certificate, '--report', report, '--json']).ended;
      expect({ code: checked.code, ...JSON.parse(checked.stdout) }).toMatchObject({ code: 0, passed: true });
      expect(await balance(certified)).toBe(10_000);
      expect(certified.messages).toEqual([]);
      await certified.stop();
    });

    it('does not start without its secrets, and says which is missing', async () => {
      await expect(startExample(language, { SERVICE_TOKEN: '' })).rejects.toThrow('it ended with 1');
    });

    it('SIGTERM ends it in an orderly way', async () => {
      const other = await startExample(language);
      expect(await balance(other)).toBe(10_000);
      expect(await other.stop()).toBe(terminated(language));
    });

    it('its own tests pass with the command of its README', async () => {
      expect(await ownTests(language)).toMatch(/ok|pass/i);
    });
  });
}
