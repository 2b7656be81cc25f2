import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { components } from '../../generated/sandbox/types.ts';
import { type Answers, answerTo, answerWords } from '../conformance/answers.ts';

type Schemas = components['schemas'];

export type Group = Schemas['RequirementGroup'];
export type Aspect = Schemas['RequirementAspect'];

/**
 * What a requirement needs: the version of the API, a token of the service or of a customer (`otp`), Basic credentials,
 * a second or a third customer, https, a running sandbox whose log is read (`sandbox`), a webhook address, time (`slow`).
 */
export type Need =
  | 'v1'
  | 'v2'
  | 'service'
  | 'basic'
  | 'otp'
  | 'two_customers'
  | 'three_customers'
  | 'https'
  | 'sandbox'
  | 'webhook'
  | 'slow';

/** One thing that a partner's client server has to do, as `requirements/*.yaml` has it. */
export interface Requirement {
  /** Never given to another requirement. */
  readonly id: string;
  readonly title: string;
  readonly group: Group;
  /** operationId; null if it is about all of them. */
  readonly operation: string | null;
  readonly aspect: Aspect;
  /** `stated` with statements of docs/interface.md, or a row of docs/register.yaml. */
  readonly basis: string;
  readonly level: 'must' | 'should';
  readonly needs: readonly Need[];
  /** Most calls that its probe sends to the server. */
  readonly calls: number;
  /** How it is probed, in one sentence. */
  readonly how: string;
  /** What to change where it fails, in one sentence. */
  readonly change: string;
  /** Why it cannot be seen from outside; it has no probe then. */
  readonly unseen?: string;
  /** How the other side has answered the open point that it rests on, in words. */
  readonly answer?: string;
}

/** The requirements of an edition, and the digest of the file that they stand in. */
export interface Requirements {
  readonly edition: string;
  readonly digest: string;
  readonly list: readonly Requirement[];
}

const folder = new URL('./requirements/', import.meta.url);

/** An edition that there is none of. The message lists those that there are. */
export class EditionError extends Error {}

/** The editions that were read: to parse one holds up every other call of a sandbox for 100 ms. */
const parsed = new Map<string, Requirements>();

/** Reads an edition once: `current`, or a released one such as `1.0`. Throws an EditionError if it does not exist. */
export function loadRequirements(edition = 'current'): Requirements {
  const known = parsed.get(edition) ?? readEdition(edition);
  parsed.set(edition, known);
  return known;
}

function readEdition(edition: string): Requirements {
  const file = new URL(`${edition}.yaml`, folder);
  if (!/^(current|\d+\.\d+)$/.test(edition) || !existsSync(file))
    throw new EditionError(`Unknown edition ${edition}. Available: ${editions().join(', ')}.`);
  const bytes = readFileSync(file);
  const { requirements } = parse(bytes.toString()) as { requirements: Requirement[] };
  return { edition, digest: createHash('sha256').update(bytes).digest('hex'), list: requirements };
}

/** Requirements as they count with answers: agreed ones are mandatory, those that differ do not apply (OP-251). */
export function answered({ list, ...edition }: Requirements, answers: Answers): Requirements {
  return { ...edition, list: list.map((requirement) => withAnswer(requirement, answers)) };
}

function withAnswer(requirement: Requirement, answers: Answers): Requirement {
  const given = answerTo(requirement.basis, answers);
  if (given === undefined) return requirement;
  const answer = answerWords(given);
  if (given.answer !== 'differs') return { ...requirement, answer, level: 'must' };
  return { ...requirement, answer, unseen: `The open point ${requirement.basis} was ${answer}.` };
}

/** The editions that there are: `current`, and those that were released. */
export function editions(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .toSorted();
}

/** Requirements that others hang on: reading a balance, a credit, a deduction, a status, signing in. */
export const prerequisites = {
  profile: 'SHP-01',
  credit: 'CRD-01',
  deduction: 'DED-01',
  rejection: 'STA-01',
  signIn: 'OTP-01',
  v2Points: 'V2-01',
  v2Deduction: 'V2-02',
  v2Reversal: 'V2-03',
} as const;

type Version = 'v1' | 'v2';

/** What an order hangs on, by the operation that was refused. */
export const blockers: Readonly<Record<string, readonly string[]>> = {
  getProfileAndPoints: [prerequisites.profile],
  saveRedeemDetails: [prerequisites.deduction],
  getCustomerPoints: [prerequisites.v2Points],
  redeemPoints: [prerequisites.v2Deduction],
};

/** The requirement that the server answers call after call over the platform's connection. */
export const keepsConnections = 'ROB-11';

/** What can be wrong with an answer that the platform cannot read, by the operation. */
export const unreadable: Readonly<Record<string, readonly string[]>> = {
  getProfileAndPoints: [prerequisites.profile, 'SHP-03', 'SHP-02', 'SHP-04', 'SHP-16'],
  creditPoints: ['SHP-08', 'SHP-16'],
  saveRedeemDetails: ['SHP-06', 'SHP-16'],
  updateRedeemStatus: ['SHP-07', 'SHP-16'],
  getCustomerPoints: [prerequisites.v2Points, 'SHP-17'],
  redeemPoints: ['SHP-18'],
  reversePoints: ['SHP-19'],
};

/** What has to hold for the platform to read a balance. */
export function readingBalance(version: Version): readonly string[] {
  return unreadable[version === 'v1' ? 'getProfileAndPoints' : 'getCustomerPoints'] ?? [];
}

/** What has to hold for an order to stand. */
export function ordering(version: Version): readonly string[] {
  return version === 'v1' ? [prerequisites.deduction, 'SHP-03', 'SHP-02'] : [prerequisites.v2Deduction, 'SHP-17'];
}
