/** Every published contract, by the rules for OpenAPI of another linter: Spectral's. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';

const generated = fileURLToPath(new URL('../../generated/', import.meta.url));
const documents = globSync('*/*.json', { cwd: generated }).sort();

/** Rules beyond the recommended ones that do not fit: what they ask for and why it is not there. */
const off = {
  // It asks for a mail address beside name and page, and there is none.
  'contact-properties': 'off',
  // It asks for an address beside the identifier, and OpenAPI 3.1 takes one of the two only.
  'license-url': 'off',
  // Tags stand in the order of the journey, which is that of the pages made from them.
  'openapi-tags-alphabetical': 'off',
} as const;

const spectral = new Spectral();
// The two packages type a ruleset in ways that do not meet.
spectral.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'all']], rules: off });

it.each(documents)("all rules of Spectral's OAS ruleset: %s", async (file) => {
  const found = await spectral.run(readFileSync(generated + file, 'utf8'));
  expect(found.map(({ code, message, path }) => `${code} at /${path.join('/')}: ${message}`)).toEqual([]);
});

it('the rules are those of OpenAPI 3.1: what a contract lacks is found', async () => {
  const found = await spectral.run({
    openapi: '3.1.0',
    info: { title: 'Empty' },
    paths: { '/a': { get: {} } },
  });
  expect(found.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['oas3-schema', 'operation-description', 'operation-operationId', 'operation-tags']),
  );
});
