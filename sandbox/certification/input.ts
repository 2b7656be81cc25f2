/** Validates the options of a run before any call is sent. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { answersProblems, noAnswers } from '../conformance/answers.ts';
import { contract } from '../contract/document.ts';
import { Schemas } from '../contract/schemas.ts';
import { EditionError, loadRequirements } from './requirement.ts';
import { unknownNames } from './selection.ts';
import type { Input } from './verdict.ts';

/** JSON schemas by name. */
export type NamedSchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const written = new URL('../../openapi/components/certification.yaml', import.meta.url);

/** Returns the schemas for certifications. Their references to each other are rewritten to `#/components/schemas/`. */
export function certificationSchemas(): NamedSchemas {
  const { schemas } = parse(readFileSync(written, 'utf8')) as { schemas: NamedSchemas };
  return JSON.parse(JSON.stringify(schemas).replaceAll('"#/schemas/', '"#/components/schemas/')) as NamedSchemas;
}

/** Validates a value against one of the schemas. Returns at most one problem per location. */
export function schemaFindings(schemas: NamedSchemas, name: string, value: unknown): readonly InputProblem[] {
  const all = new Schemas(contract('certification', { components: { schemas } }));
  return all.check(`/components/schemas/${name}`)(value) ?? [];
}

/** A problem with an input, and the JSON pointer of the field. */
export interface InputProblem {
  readonly where: string;
  readonly problem: string;
}

/** Returns the first problem that prevents a run with this input, or `undefined` if the input is valid. */
export function problemOf({ otp, answers = noAnswers, ...rest }: Input): InputProblem | undefined {
  const [wrong] = answersProblems(answers);
  if (wrong !== undefined) return wrong;
  const { read, ...source } = otp ?? {};
  const plain = { ...rest, ...(otp !== undefined && read === undefined && { otp: source }) };
  const [found] = schemaFindings(certificationSchemas(), 'CertificationInput', plain);
  if (found !== undefined) return found;
  if (rest.client_url === undefined) return { where: '/client_url', problem: 'is required' };
  if (otp?.gateway === true && rest.sandbox === undefined)
    return { where: '/sandbox', problem: 'is required to read codes from the message gateway' };
  try {
    const [unknown] = unknownNames(loadRequirements(rest.requirements).list, rest);
    if (unknown === undefined) return undefined;
    const where = rest.only?.includes(unknown) ? '/only' : '/skip';
    return { where, problem: `contains ${unknown}, which is neither a requirement nor a group` };
  } catch (error) {
    if (!(error instanceof EditionError)) throw error;
    return { where: '/requirements', problem: `is not an edition. ${error.message}` };
  }
}
