/** Tests the profiles of demo customers. The uid and the seed determine a profile, which is identical in all workspaces. */
import { expect, it } from 'vitest';
import { makeProfile } from '../../sandbox/client/profiles.ts';

const project = { projectCode: 'DEMO01', projectName: 'Demo', projectId: 1 };

it('the same uid, seed and project give the same profile; a different one gives another', () => {
  const profile = makeProfile('CUST9001', 7, project);
  expect(makeProfile('CUST9001', 7, project)).toBe(profile);
  expect(makeProfile('CUST9001', 8, project).name).not.toBe(profile.name);
  expect(makeProfile('CUST9001', 7, { ...project, projectCode: 'OTHER1' }).projectCode).toBe('OTHER1');
});

it('the cache has the newest hundred profiles; an older one is generated again, with the same values', () => {
  const first = makeProfile('CUST9001', 1, project);
  for (let n = 0; n < 99; n += 1) makeProfile(`CUST${n}`, 1, project);
  expect(makeProfile('CUST9001', 1, project)).toBe(first);
  for (let n = 0; n < 100; n += 1) makeProfile(`CUST${n}`, 1, project);
  const again = makeProfile('CUST9001', 1, project);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});

it('some profiles have an mdate as day/month/year, and the others an empty one', () => {
  const dates = Array.from({ length: 40 }, (_, n) => makeProfile(`CUST${n}`, n, project).mdate);
  const some = dates.filter((date) => date !== '');
  expect([some.length > 4, some.length < 25]).toEqual([true, true]);
  for (const date of some) expect(date).toMatch(/^(0[1-9]|1\d|2[0-8])\/(0[1-9]|1[0-2])\/(19|20)\d{2}$/);
});

it('plausible demo data has mobile numbers and PANs in the real format, and is otherwise the same', () => {
  for (let n = 0; n < 300; n += 1) {
    const { mobileNo, pan, ...others } = makeProfile('CUST9001', n, project);
    const plausible = makeProfile('CUST9001', n, project, 'plausible');
    expect(plausible).toMatchObject(others);
    expect(mobileNo).toMatch(/^5\d{9}$/);
    expect(pan).toMatch(/^[A-Z]{3}X[A-Z]\d{4}[A-Z]$/);
    // The fifth letter of a person's PAN is the first letter of the surname.
    const surname = others.name.split(' ').at(-1)?.[0]?.toUpperCase();
    expect(plausible.mobileNo).toMatch(/^[6-9]\d{9}$/);
    expect(plausible.pan).toMatch(new RegExp(`^[A-Z]{3}P${surname}(?!0000)\\d{4}[A-Z]$`));
  }
});
