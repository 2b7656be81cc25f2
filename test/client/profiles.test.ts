/** Profiles of demo customers: what follows from uid and seed is drawn once for all workspaces. */
import { expect, it } from 'vitest';
import { makeProfile } from '../../sandbox/client/profiles.ts';

const project = { projectCode: 'DEMO01', projectName: 'Demo', projectId: 1 };

it('the same uid, seed and project give the same profile, another of them another', () => {
  const profile = makeProfile('CUST9001', 7, project);
  expect(makeProfile('CUST9001', 7, project)).toBe(profile);
  expect(makeProfile('CUST9001', 8, project).name).not.toBe(profile.name);
  expect(makeProfile('CUST9001', 7, { ...project, projectCode: 'OTHER1' }).projectCode).toBe('OTHER1');
});

it('the hundred newest are kept; an older one is drawn again, and is the same', () => {
  const first = makeProfile('CUST9001', 1, project);
  for (let n = 0; n < 99; n += 1) makeProfile(`CUST${n}`, 1, project);
  expect(makeProfile('CUST9001', 1, project)).toBe(first);
  for (let n = 0; n < 100; n += 1) makeProfile(`CUST${n}`, 1, project);
  const again = makeProfile('CUST9001', 1, project);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
