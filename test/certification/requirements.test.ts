/** Tests the published list of requirements. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { probes } from '../../sandbox/certification/certify.ts';
import { certificationSchemas } from '../../sandbox/certification/input.ts';
import { EditionError, editions, loadRequirements } from '../../sandbox/certification/requirement.ts';
import { inputChecks } from '../../sandbox/certification/selection.ts';
import { idsOf, isStated } from '../../sandbox/contract/basis.ts';
import { loadContract } from '../../sandbox/contract/schemas.ts';
import { statementIds } from '../../tools/docs/citations.ts';
import { registerIds } from '../../tools/docs/register.ts';
import { freezeRequirements } from '../../tools/release/freeze-requirements.ts';
import { temporaryFolder } from '../harness/folders.ts';

const { list } = loadRequirements();
const ids = list.map(({ id }) => id);

/** Returns the ids of the requirements that match a condition. */
const idsWhere = (is: (requirement: (typeof list)[number]) => boolean) => list.filter(is).map(({ id }) => id);

it('each observable requirement has a probe, and each probe a requirement', () => {
  expect(list.length).toBeGreaterThan(0);
  expect(idsWhere(({ id, unseen }) => (probes[id] === undefined) !== (unseen !== undefined))).toEqual([]);
  expect(Object.keys(probes).filter((id) => !ids.includes(id))).toEqual([]);
});

it('ids have the right form and group prefix, and are unique', () => {
  expect(ids.filter((id) => !/^[A-Z0-9]{2,4}-\d{2}$/.test(id))).toEqual([]);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const prefixes = Map.groupBy(list, ({ group }) => group);
  const several = [...prefixes.values()].filter((of) => new Set(of.map(({ id }) => id.split('-')[0])).size > 1);
  expect(several).toEqual([]);
});

it('group, aspect and level are those of the contract, the operation is one of a client server', () => {
  const schemas = certificationSchemas();
  const enumOf = (name: string) => (schemas[name]?.enum ?? []) as readonly string[];
  const operations = ['client', 'auth', 'v2-client'].flatMap((api) =>
    loadContract(api).operations.map(({ operationId }) => operationId),
  );
  expect(
    idsWhere(
      ({ group, aspect, level, operation }) =>
        !enumOf('RequirementGroup').includes(group) ||
        !enumOf('RequirementAspect').includes(aspect) ||
        !['must', 'should'].includes(level) ||
        (operation !== null && group !== 'calling' && !operations.includes(operation)),
    ),
  ).toEqual([]);
});

it('each requirement cites existing statements of the interface or rows of the register', () => {
  expect(
    idsWhere(({ basis }) => {
      const existingIds = isStated(basis) ? statementIds : registerIds;
      return idsOf(basis).length === 0 || idsOf(basis).some((id) => !existingIds.includes(id));
    }),
  ).toEqual([]);
});

it('a mandatory requirement rests on a statement of the interface: nothing stated, nothing failed', () => {
  expect(idsWhere(({ level, basis }) => level === 'must' && !isStated(basis))).toEqual([]);
});

it('needs and maximum calls are consistent: a probe that runs sends calls, and has a version', () => {
  const known: readonly string[] = ['v1', 'v2', ...Object.keys(inputChecks)];
  const isWrong = ({ needs, calls, unseen, group }: (typeof list)[number]) =>
    needs.some((need) => !known.includes(need)) ||
    new Set(needs).size !== needs.length ||
    (needs.includes('v1') && needs.includes('v2')) ||
    !(Number.isInteger(calls) && calls >= 0 && calls <= 300) ||
    (calls === 0 && unseen === undefined && group !== 'calling');
  expect(idsWhere(isWrong)).toEqual([]);
});

it('a title is a sentence without a full stop; the probe and the change are sentences with one', () => {
  // A sentence may begin with an operation name.
  const sentence = /^([A-Z0-9`]|[a-z]+[A-Z]|[a-z]+[-/][a-z]+).*\.$/s;
  const titles = list.map(({ title }) => title);
  expect(titles.filter((title) => sentence.test(title) || !sentence.test(`${title}.`) || title.length > 120)).toEqual(
    [],
  );
  expect(idsWhere(({ how, change, unseen = how }) => ![how, change, unseen].every((of) => sentence.test(of)))).toEqual(
    [],
  );
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

it('an unknown edition is refused with a list of the existing ones', () => {
  expect(() => loadRequirements('9.9')).toThrow(
    new EditionError(`Unknown edition 9.9. Available: ${editions().join(', ')}.`),
  );
  expect(() => loadRequirements('../current')).toThrow(EditionError);
});

it('OP-174: a released edition never changes, to the byte, and all its requirements can still be checked', () => {
  const folder = new URL('../../sandbox/certification/requirements/', import.meta.url);
  const released = new URL('released.json', folder);
  const frozen = editions().filter((edition) => edition !== 'current');
  const digests = Object.fromEntries(frozen.map((edition) => [edition, loadRequirements(edition).digest]));
  expect(digests).toEqual(existsSync(released) ? JSON.parse(readFileSync(released, 'utf8')) : {});
  const all = frozen.flatMap((edition) => loadRequirements(edition).list);
  expect(all.filter(({ id, unseen }) => unseen === undefined && !(id in probes))).toEqual([]);
});

it('OP-174: a release freezes the requirements as its edition, once, and adds their digest', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'current.yaml'), 'requirements: []\n');
  expect(freezeRequirements(folder, '1.0.0').map((file) => basename(file))).toEqual(['1.0.yaml', 'released.json']);
  writeFileSync(join(folder, 'current.yaml'), 'requirements: [{}]\n');
  expect(freezeRequirements(folder, '1.0.1')).toEqual([]);
  freezeRequirements(folder, '1.1.0');
  expect(readFileSync(join(folder, '1.0.yaml'), 'utf8')).toBe('requirements: []\n');
  expect(readFileSync(join(folder, '1.1.yaml'), 'utf8')).toBe('requirements: [{}]\n');
  const digests = JSON.parse(readFileSync(join(folder, 'released.json'), 'utf8'));
  expect(Object.keys(digests)).toEqual(['1.0', '1.1']);
  expect(digests['1.0']).toBe(createHash('sha256').update('requirements: []\n').digest('hex'));
});
