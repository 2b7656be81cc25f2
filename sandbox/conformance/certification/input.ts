/** What a run is asked for, checked before anything is sent. */
import { loadContract } from '../../contract/schemas.ts';
import { EditionError, loadRequirements } from './requirement.ts';
import { unknownNames } from './selection.ts';
import type { Input } from './verdict.ts';

/** What is wrong with an input, and the JSON pointer of the field. */
export interface InputProblem {
  readonly where: string;
  readonly problem: string;
}

/** Why there can be no run of this input, by its field; undefined where there can. */
export function problemOf({ otp, ...rest }: Input): InputProblem | undefined {
  const { read, ...source } = otp ?? {};
  const plain = { ...rest, ...(otp !== undefined && read === undefined && { otp: source }) };
  const found = loadContract('sandbox').schemas.check('/components/schemas/CertificationInput')(plain);
  if (found !== undefined) return found;
  if (otp?.gateway === true && rest.sandbox === undefined)
    return { where: '/sandbox', problem: 'is required where codes are read from the message gateway' };
  try {
    const [unknown] = unknownNames(loadRequirements(rest.requirements).list, rest);
    if (unknown === undefined) return undefined;
    const where = rest.only?.includes(unknown) ? '/only' : '/skip';
    return { where, problem: `has ${unknown}, which is neither a requirement nor a group` };
  } catch (error) {
    if (!(error instanceof EditionError)) throw error;
    return { where: '/requirements', problem: `names no edition. ${error.message}` };
  }
}
