/** Tests the published certification files: the configuration schema and the requirements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { certificationSchemas } from '../../sandbox/certification/input.ts';
import { fileSchemas, publishedSchema } from '../../sandbox/cli/certify-schema.ts';
import { copyBundles } from '../../tools/package/copy-bundles.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

it("OP-169: the published schema is self-contained, accepts the guide's example, and refuses unknown fields", () => {
  const published = publishedSchema(fileSchemas(certificationSchemas()), 'CertifyFile', 'certify.yaml', 'It.');
  const fits = new Ajv2020({ strict: true, strictRequired: false }).compile(published);
  const guide = readFileSync(join(root, 'docs/guides/certify.md'), 'utf8');
  const [, example = ''] = /```yaml\n(client_url:[\s\S]*?)```/.exec(guide) ?? [];
  expect(Object.keys(parse(example))).toContain('otp');
  expect(fits(parse(example))).toBe(true);
  expect(fits({ otp: { command: './last-otp.sh {customer_id}' } })).toBe(true);
  for (const wrong of [{ clientUrl: 'http://localhost' }, { otp: { code: '1', command: 'a' } }, { api: 'v3' }, []])
    expect(fits(wrong)).toBe(false);
  expect(JSON.stringify(published)).not.toMatch(/"x-|#\/components/);
});

it('OP-169: the contract has no configuration field that runs a command', () => {
  expect(JSON.stringify(certificationSchemas())).not.toContain('"command"');
});

it('a package contains the requirements and their input schemas where the compiled code expects them', async () => {
  const packed = await temporaryFolder();
  copyBundles(packed);
  for (const file of ['sandbox/certification/requirements/current.yaml', 'openapi/components/certification.yaml'])
    expect(readFileSync(join(packed, file), 'utf8')).toBe(readFileSync(join(root, file), 'utf8'));
});
