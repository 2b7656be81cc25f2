import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { components } from '../../generated/sandbox/types.ts';
import { type Answers, answerTo, answerWords } from '../conformance/answers.ts';

type Schemas = components['schemas'];

/**
 * A prerequisite of a requirement. `service` is the service token, and `otp` is access to one-time passwords. `sandbox` is the
 * sandbox that the server calls, whose log is read. `slow` is permission to take more than 3 s.
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

/** A requirement for a partner's client server, as defined in `requirements/*.yaml`. */
export interface Requirement {
  /** The id, which is never reused for another requirement. */
  readonly id: string;
  readonly title: string;
  readonly group: Schemas['RequirementGroup'];
  /** The operationId, or `null` if the requirement applies to all operations. */
  readonly operation: string | null;
  /** The aspect of the operation that the requirement covers. */
  readonly aspect: Schemas['RequirementAspect'];
  /** `stated` with statement ids of docs/interface.md, or the id of an entry in docs/register.yaml. */
  readonly basis: string;
  readonly level: 'must' | 'should';
  readonly needs: readonly Need[];
  /** Maximum number of calls that the probe sends to the server. */
  readonly calls: number;
  /** A description of the probe, in one sentence. */
  readonly how: string;
  /** The change to make if the requirement fails, in one sentence. */
  readonly change: string;
  /** The reason that the requirement cannot be tested from outside. It then has no probe. */
  readonly unseen?: string;
  /** A description of the other party's answer to the open point that the requirement is based on. */
  readonly answer?: string;
}

/** The requirements of an edition, and the SHA-256 digest of its file. */
export interface Requirements {
  readonly edition: string;
  readonly digest: string;
  readonly list: readonly Requirement[];
}

const folder = new URL('./requirements/', import.meta.url);

/** An error for an unknown edition. The message lists the available editions. */
export class EditionError extends Error {}

/** Cached editions. Parsing one blocks all other calls of a sandbox for 100 ms. */
const parsed = new Map<string, Requirements>();

/** Returns an edition, such as `current` or `1.0`. It is read only once. Throws an `EditionError` if it does not exist. */
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

/** Applies answers to requirements. Requirements with agreed answers are mandatory, and those with `differs` do not apply (OP-251). */
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

/** Returns all editions: `current` and the released ones. */
export function editions(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .toSorted();
}

/** Requirements that others depend on. They cover reading a balance, crediting, deducting, rejecting and signing in. */
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

/** Requirements that block an order, by the refused operation. */
export const blockers: Readonly<Record<string, readonly string[]>> = {
  getProfileAndPoints: [prerequisites.profile],
  saveRedeemDetails: [prerequisites.deduction],
  getCustomerPoints: [prerequisites.v2Points],
  redeemPoints: [prerequisites.v2Deduction],
};

/** The requirement that the server answers consecutive calls over one connection. */
export const keepsConnections = 'ROB-11';

/** Requirements that an unreadable answer may violate, by operation. */
export const unreadable: Readonly<Record<string, readonly string[]>> = {
  getProfileAndPoints: [prerequisites.profile, 'SHP-03', 'SHP-02', 'SHP-04', 'SHP-16'],
  creditPoints: ['SHP-08', 'SHP-16'],
  saveRedeemDetails: ['SHP-06', 'SHP-16'],
  updateRedeemStatus: ['SHP-07', 'SHP-16'],
  getCustomerPoints: [prerequisites.v2Points, 'SHP-17'],
  redeemPoints: ['SHP-18'],
  reversePoints: ['SHP-19'],
};

/** Returns the requirements that the platform needs to read a balance. */
export function readingBalance(version: Version): readonly string[] {
  return unreadable[version === 'v1' ? 'getProfileAndPoints' : 'getCustomerPoints'] ?? [];
}

/** Returns the requirements that the platform needs to place an order. */
export function ordering(version: Version): readonly string[] {
  return version === 'v1' ? [prerequisites.deduction, 'SHP-03', 'SHP-02'] : [prerequisites.v2Deduction, 'SHP-17'];
}
