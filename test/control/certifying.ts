/** Starts and reads certifications over the control API. */
import { expect } from 'vitest';
import type { components } from '../../generated/sandbox/types.ts';
import { type Clients, ok } from '../harness/sandbox.ts';

export type Request = components['schemas']['CertificationInput'];
export type Run = components['schemas']['Certification'];

/** Starts a certification and returns its id. */
export async function startCertification({ control }: Clients, body: Request): Promise<string> {
  return ok(await control.POST('/certifications', { body })).id;
}

export async function readCertification({ control }: Clients, id: string): Promise<Run> {
  return ok(await control.GET('/certifications/{id}', { params: { path: { id } } }));
}

/** Waits until a certification has ended, and returns its final state. */
export async function awaitCertification(clients: Clients, id: string): Promise<Run> {
  await expect
    .poll(async () => (await readCertification(clients, id)).state, { timeout: 100_000, interval: 200 })
    .toBe('ended');
  return readCertification(clients, id);
}
