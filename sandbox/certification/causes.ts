/**
 * Finds the causes of failures. One mistake in a server often fails several requirements and prevents others from being
 * tested. The former are reported as one failure, and the latter as blocked.
 */
import { type Answer, fieldsIn } from './answer.ts';
import { isSuccess } from './assertions.ts';
import type { Evidence, Failure, RequirementVerdict } from './verdict.ts';

/** A failure and its evidence. */
export interface SeenFailure {
  readonly failure: Failure;
  readonly seen: Evidence;
}

/** The results of a run, by requirement. */
interface Found {
  readonly verdicts: readonly RequirementVerdict[];
  readonly failures: ReadonlyMap<string, SeenFailure>;
  /** Possible blockers of each blocked requirement. Each is the id of a requirement. */
  readonly needed: ReadonlyMap<string, readonly string[]>;
}

/** The cause of failures if a server sends refusals with a success status. */
const refusedWithSuccess = 'a refusal sent with 2xx';

/** The verdicts of a run, by the id of their requirement. */
type VerdictById = ReadonlyMap<string, RequirementVerdict['verdict']>;

/**
 * Finds the failed requirement behind each blocked one, and merges failures with the same cause. Returns the verdicts with
 * their blockers, and one failure per cause, most serious first.
 */
export function findCauses(found: Found) {
  const verdictById = new Map(found.verdicts.map(({ id, verdict }) => [id, verdict]));
  const verdicts = found.verdicts.map((verdict) => withBlocker(verdict, found, verdictById));
  return { verdicts, failures: gravestFirst(groupsOf(verdicts, found), verdicts) };
}

/** Returns the failed requirement that a requirement depends on, its own id if it is the root, or `undefined` if none failed. */
function rootOf(id: string, found: Found, verdictById: VerdictById, seen: readonly string[] = []): string | undefined {
  const verdict = verdictById.get(id);
  if (seen.includes(id) || (verdict !== 'fail' && verdict !== 'blocked')) return undefined;
  const before = verdict === 'fail' ? prerequisites[id] : found.needed.get(id);
  for (const other of before ?? []) {
    const root = rootOf(other, found, verdictById, [...seen, id]);
    if (root !== undefined) return root;
  }
  return verdict === 'fail' ? id : undefined;
}

function withBlocker(verdict: RequirementVerdict, found: Found, verdictById: VerdictById): RequirementVerdict {
  const { id } = verdict;
  const root = rootOf(id, found, verdictById);
  if (verdict.verdict === 'fail') {
    if (root === undefined || root === id) return verdict;
    const reason = found.failures.get(id)?.failure.message ?? null;
    return { ...verdict, verdict: 'blocked', reason, blocked_by: root };
  }
  if (verdict.verdict !== 'blocked') return verdict;
  const open = found.needed.get(id)?.find((other) => verdictById.get(other) !== 'pass');
  return { ...verdict, blocked_by: root ?? open ?? null };
}

/** Groups failures by cause, in the order of the edition. */
function groupsOf(verdicts: readonly RequirementVerdict[], { failures }: Found): readonly SeenFailure[][] {
  const failing = verdicts.flatMap(({ id, verdict }) => (verdict === 'fail' ? (failures.get(id) ?? []) : []));
  const causes = failing.map((of) => ({ id: of.failure.requirement, causes: causesOf(of) }));
  const established = new Set(causes.flatMap(({ id, causes: [own = id] }) => [id, own]));
  /** Merged ids and causes. Each maps to another one of its group, ending at the name of the group. */
  const same = new Map<string, string>();
  const nameOf = (key: string): string => {
    const other = same.get(key);
    return other === undefined ? key : nameOf(other);
  };
  for (const { id, causes: all } of causes) {
    for (const cause of all.filter((key) => established.has(key))) {
      const [one, two] = [nameOf(id), nameOf(cause)];
      if (one !== two) same.set(one, two);
    }
  }
  return [...Map.groupBy(failing, ({ failure }) => nameOf(failure.requirement)).values()];
}

/** Returns the possible causes of a failure: its own, then causes that explain the failure if another failure establishes them. */
function causesOf({ failure: { requirement, pointer, expected }, seen }: SeenFailure): readonly string[] {
  const listed = explainedBy[requirement] ?? [];
  if (seen.answers.some((answer) => isSuccess(answer) && tellsRefusal(answer))) return [refusedWithSuccess];
  if (seen.cause !== undefined) return [seen.cause.is, ...(seen.cause.explainedBy ?? []), ...listed];
  const isPart = /^\/(body|headers)\//.test(pointer);
  return [isPart ? `${pointer}: ${expected}` : requirement, ...listed];
}

/** Returns whether a body reports a refusal, regardless of the HTTP status. */
function tellsRefusal(answer: Answer): boolean {
  const { success, status, error } = fieldsIn(answer);
  return success === false || Number(status) >= 400 || (typeof error === 'string' && error !== '');
}

/** Returns one failure per cause. Mandatory ones come first, then those that break or block the most requirements. */
function gravestFirst(groups: readonly SeenFailure[][], verdicts: readonly RequirementVerdict[]): Failure[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  const isMandatory = ({ requirement }: Failure) => byId.get(requirement)?.level === 'must';
  const entries = groups.map((group) => {
    const ids = group.map(({ failure }) => failure.requirement);
    const [root, cause] = rootFailure(group, isMandatory);
    const breaks = ids.filter((id) => id !== root.requirement);
    const { length: blocked } = verdicts.filter(({ blocked_by }) => ids.includes(blocked_by ?? ''));
    const change = cause === refusedWithSuccess ? 'Send refusals with an HTTP error status, such as 422.' : root.change;
    const mandatory = group.some(({ failure }) => isMandatory(failure));
    return { root: { ...root, change, breaks }, mandatory, weight: breaks.length + blocked };
  });
  return entries
    .toSorted((one, other) => Number(other.mandatory) - Number(one.mandatory) || other.weight - one.weight)
    .map(({ root }) => root);
}

/** Returns the root failure of a group and its cause. Prefers failures that no other explains, and mandatory ones among them. */
function rootFailure(
  group: readonly SeenFailure[],
  isMandatory: (failure: Failure) => boolean,
): readonly [Failure, string | undefined] {
  const all = group.map((of) => ({ failure: of.failure, causes: causesOf(of) }));
  const present = new Set(all.flatMap(({ failure, causes: [own = ''] }) => [failure.requirement, own]));
  const unexplained = all.filter(({ causes: [own, ...others] }) => !others.some((it) => it !== own && present.has(it)));
  const candidates = unexplained.length > 0 ? unexplained : all;
  const root = candidates.find(({ failure }) => isMandatory(failure)) ?? candidates[0];
  if (root === undefined) throw new Error('a group of failures has one at least');
  return [root.failure, root.causes[0]];
}

/** Returns the failure that covers a failed requirement: its own, or that of the common cause. */
export function entryOf(failures: readonly Failure[], id: string): Failure | undefined {
  return failures.find(({ requirement, breaks }) => requirement === id || breaks.includes(id));
}

/** Dependencies between requirements, by id. They are defined here because editions are frozen files. */

type Links = Readonly<Record<string, readonly string[]>>;

/** Links each of the ids, which are separated by spaces, to the same requirements. */
function linkAll(ids: string, ...requirements: readonly string[]): Links {
  return Object.fromEntries(ids.split(' ').map((id) => [id, requirements]));
}

/** Prerequisites of each requirement. If one of them fails, the requirement is blocked instead of failed. */
export const prerequisites: Links = {
  'SHP-03': ['SHP-01'],
  'SHP-17': ['V2-01'],
  'OTP-01': ['BAS-05'],
  'V2-15': ['V2-02', 'V2-03'],
  ...linkAll('V2-04 V2-05 V2-06 V2-16', 'V2-02'),
  'JRN-07': ['CRD-01'],
  ...linkAll('JRN-01 JRN-03', 'DED-01'),
  ...linkAll('JRN-02 JRN-04 JRN-05 JRN-06 JRN-08 JRN-09 JRN-10 JRN-14', 'DED-01', 'STA-01'),
  'JRN-11': ['OTP-01', 'TOK-09', 'TOK-16', 'DED-01'],
  'JRN-12': ['V2-01', 'V2-02'],
  'JRN-13': ['V2-01', 'V2-02', 'V2-03'],
};

/**
 * Requirements that detect the same mistake more precisely. If one of them also fails, both failures have one cause.
 */
export const explainedBy: Links = {
  ...linkAll('CRD-03 CRD-04 CRD-05', 'CRD-02'),
  ...linkAll('CRD-07 CRD-08 CRD-09', 'CRD-02', 'CRD-04'),
  'DED-03': ['DED-02', 'DED-08'],
  'DED-05': ['DED-02'],
  'DED-07': ['DED-06'],
  'DED-11': ['DED-08'],
  'DED-12': ['TOK-16'],
  ...linkAll('STA-04 STA-05', 'STA-02'),
  ...linkAll('STA-09 STA-10', 'STA-08'),
  // Both versions use the same ledger.
  'V2-04': ['DED-02'],
  'V2-05': ['V2-04', 'DED-03'],
  'V2-06': ['V2-04'],
  'V2-07': ['V2-08', 'DED-08'],
  ...linkAll('DED-08 V2-08', 'DED-09'),
  'V2-11': ['STA-02'],
  'V2-12': ['V2-11', 'STA-04'],
  'V2-15': ['STA-11'],
  'OTP-19': ['OTP-06'],
  'ROB-05': ['ROB-06'],
  ...linkAll('JRN-01 JRN-08 JRN-11', 'STA-06'),
  'JRN-03': ['DED-02', 'DED-04', 'STA-06'],
  'JRN-04': ['DED-02', 'STA-02'],
  'JRN-05': ['DED-02', 'STA-12'],
  'JRN-06': ['STA-02', 'STA-03'],
  'JRN-07': ['CRD-02', 'CRD-05', 'CRD-06'],
  'JRN-10': ['STA-06', 'STA-12'],
  'JRN-13': ['V2-04', 'V2-11'],
  'JRN-14': ['DED-02', 'DED-04', 'STA-02', 'STA-03'],
};
