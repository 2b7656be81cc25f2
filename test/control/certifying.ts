/** Certifications through the control API, as tests ask for them. */
import { expect } from 'vitest';
import type { components } from '../../generated/sandbox/types.ts';
import { type Clients, ok } from '../harness/sandbox.ts';

export type Request = components['schemas']['CertificationInput'];
export type Run = components['schemas']['Certification'];

/** Starts a certification. Returns its id. */
export async function begun({ control }: Clients, body: Request): Promise<string> {
  return ok(await control.POST('/certifications', { body })).id;
}

export async function shown({ control }: Clients, id: string): Promise<Run> {
  return ok(await control.GET('/certifications/{id}', { params: { path: { id } } }));
}

/** Follows a certification to its end. */
export async function ended(clients: Clients, id: string): Promise<Run> {
  await expect.poll(async () => (await shown(clients, id)).state, { timeout: 100_000, interval: 200 }).toBe('ended');
  return shown(clients, id);
}
