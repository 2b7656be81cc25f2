/** The form of a certificate: one schema for its header and one for its claims, which everything that reads or signs one uses. */

import { cut } from '../conformance/flaw.ts';
import { contract } from '../contract/document.ts';
import { Schemas } from '../contract/schemas.ts';
import { once } from '../runtime/once.ts';
import { certificationSchemas } from './input.ts';

const schemas = once(() => new Schemas(contract('certificate', { components: { schemas: certificationSchemas() } })));

/** The first problem of a header, of claims or of a text among them, on one line; undefined if there is none. */
export function schemaProblem(
  name: 'CertificateHeader' | 'CertificateClaims' | 'PlainText' | 'WitnessName',
  value: unknown,
): string | undefined {
  const found = schemas().check(`/components/schemas/${name}`)(value);
  return found && `${cut(found.where, 100)} ${found.problem}`.trimStart();
}
