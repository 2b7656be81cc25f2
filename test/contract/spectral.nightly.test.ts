/** Checks every published contract against the OpenAPI rules of Spectral, another linter. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nightlyPackage } from '../harness/nightly-package.ts';

const generated = fileURLToPath(new URL('../../generated/', import.meta.url));
const documents = globSync('*/*.json', { cwd: generated }).sort();

/** Optional rules that do not apply, with the reason. */
const off = {
  // This rule requires an e-mail address in addition to name and page, and the project has none.
  'contact-properties': 'off',
  // This rule requires a URL in addition to the identifier, and OpenAPI 3.1 allows only one of the two.
  'license-url': 'off',
  // Tags follow the order of the journey, as do the pages generated from them.
  'openapi-tags-alphabetical': 'off',
} as const;

interface Problem {
  readonly code: string | number;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const { Spectral } = await nightlyPackage<{
  Spectral: new () => {
    setRuleset(ruleset: object): void;
    run(document: string | object): Promise<readonly Problem[]>;
  };
}>('@stoplight/spectral-core');
const { oas } = await nightlyPackage<{ oas: object }>('@stoplight/spectral-rulesets');
const spectral = new Spectral();
spectral.setRuleset({ extends: [[oas, 'all']], rules: off });

it.each(documents)("all rules of Spectral's OAS ruleset: %s", async (file) => {
  const problems = await spectral.run(readFileSync(generated + file, 'utf8'));
  expect(problems.map(({ code, message, path }) => `${code} at /${path.join('/')}: ${message}`)).toEqual([]);
});

it('the rules of OpenAPI 3.1 apply: missing parts of a contract are reported', async () => {
  const problems = await spectral.run({
    openapi: '3.1.0',
    info: { title: 'Empty' },
    paths: { '/a': { get: {} } },
  });
  expect(problems.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['oas3-schema', 'operation-description', 'operation-operationId', 'operation-tags']),
  );
});
