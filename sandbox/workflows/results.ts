/** The log of a `redocly respect` run, and the results and reports derived from it. */

import { junitXml } from '../conformance/report-junit.ts';
import { count } from '../conformance/report-text.ts';

interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly message: string;
  readonly condition?: string;
}

interface RespectStep {
  readonly type?: 'step';
  readonly stepId: string;
  readonly request: { readonly method: string; readonly url: string };
  readonly response: {
    readonly statusCode: number;
    readonly body?: unknown;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly checks: readonly Check[];
  readonly totalTimeMs: number;
}

/** An executed workflow. `stepId` is the step that started it, if it ran as part of another workflow. */
interface RespectWorkflow {
  readonly type: 'workflow';
  readonly workflowId: string;
  readonly stepId?: string;
  readonly executedSteps: readonly (RespectStep | RespectWorkflow)[];
}

/** The content of the file that `--json-output` writes. */
export interface RespectLog {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly RespectWorkflow[] }>>;
}

/** A failed check of a step: the expected and the actual result. */
interface Failure {
  readonly check: string;
  readonly expected: string;
  readonly found: string;
}

interface StepResult {
  /** The step's id, preceded by the ids of its parent steps. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'not reached';
  readonly seconds: number;
  /** Method, URL and status of the call. Empty if no call was made. */
  readonly call: string;
  readonly trace: string | undefined;
  readonly checks: number;
  readonly failures: readonly Failure[];
}

/** The result of one workflow. */
export interface WorkflowResult {
  readonly workflowId: string;
  readonly passed: boolean;
  readonly steps: readonly StepResult[];
}

/** The part of a document's workflow that its results need. */
interface PlannedWorkflow {
  readonly workflowId: string;
  readonly steps: readonly { readonly stepId: string }[];
}

/** Returns the result of each executed workflow, including the steps that were not reached. */
export function resultsOf(log: RespectLog, workflows: readonly PlannedWorkflow[]): WorkflowResult[] {
  const ran = Object.values(log.files).flatMap(({ executedWorkflows }) => executedWorkflows);
  return ran.map((run) => {
    const reached = new Set(run.executedSteps.map(({ stepId }) => stepId));
    const own = workflows.find(({ workflowId }) => workflowId === run.workflowId)?.steps ?? [];
    const missed = own.filter(({ stepId }) => !reached.has(stepId)).map(({ stepId }) => notReached(stepId));
    const steps = [...stepsOf(run, ''), ...missed];
    return { workflowId: run.workflowId, passed: steps.every(({ outcome }) => outcome === 'passed'), steps };
  });
}

/** Returns all steps in call order, including those of nested workflows. */
function stepsOf({ executedSteps }: RespectWorkflow, before: string): StepResult[] {
  return executedSteps.flatMap((step) => {
    const name = `${before}${step.stepId}`;
    return step.type === 'workflow' ? stepsOf(step, `${name} / `) : [stepResult(step, name)];
  });
}

function stepResult(step: RespectStep, name: string): StepResult {
  const { request, response, checks, totalTimeMs } = step;
  const failures = checks
    .filter((check) => !check.passed && !isNamed(check, checks))
    .map((check) => failureOf(check, response));
  return {
    name,
    outcome: failures.length === 0 ? 'passed' : 'failed',
    seconds: totalTimeMs / 1000,
    call: request.url === '' ? '' : `${request.method.toUpperCase()} ${request.url} -> ${response.statusCode}`,
    trace: response.headers['x-trace-id'],
    checks: checks.length,
    failures,
  };
}

/** Returns whether the step's own criteria accept a status that the contract does not list. Contracts may leave errors open. */
function isNamed({ name }: Check, checks: readonly Check[]): boolean {
  const names = ({ passed, condition = '' }: Check) => passed && condition.includes('$statusCode ==');
  return name === 'status code check' && checks.some(names);
}

function notReached(name: string): StepResult {
  return { name, outcome: 'not reached', seconds: 0, call: '', trace: undefined, checks: 0, failures: [] };
}

/** Describes a failed check: the expectation of the document or contract, and the actual result. */
function failureOf({ name, message, condition }: Check, response: RespectStep['response']): Failure {
  const failure = (expected: string, found: string) => ({ check: name, expected, found });
  if (name === 'success criteria check' && condition !== undefined)
    return failure(condition, foundFor(condition, response));
  if (name === 'status code check') return failure('a documented status', String(response.statusCode));
  return failure(promises[name] ?? 'no error', tidy(message));
}

/** The expectations behind the built-in checks of respect. */
const promises: Readonly<Record<string, string>> = {
  'schema check': 'a body that matches the contract',
  'content-type check': 'a documented content type',
  'failed network request': 'a response',
};

/** Lists the reply values that a condition refers to, or the whole body if it refers to none. */
function foundFor(condition: string, { statusCode, body }: RespectStep['response']): string {
  const named = new Set(condition.match(/\$statusCode|\$response\.body#[^\s=!<>&|)'"]*/g));
  const values = [...named].map((name) => `${name} = ${text(name === '$statusCode' ? statusCode : at(body, name))}`);
  return values.length > 0 ? values.join(', ') : `$response.body = ${text(body)}`;
}

function at(body: unknown, expression: string): unknown {
  const keys = expression.slice('$response.body#'.length).split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (node as Readonly<Record<string, unknown>> | null | undefined)?.[key], body);
}

const mostCharacters = 500;

function text(value: unknown): string {
  const json = value === undefined ? 'nothing' : JSON.stringify(value);
  return json.length <= mostCharacters ? json : `${json.slice(0, mostCharacters)}...`;
}

/** Reduces a message formatted for a terminal to its sentences, without the body excerpts. */
function tidy(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  const sentences = lines.filter((line) => line !== '' && !/^(>|\||\d+ \|)/.test(line));
  return sentences
    .map((line) => line.replace(/^[A-Z ]+(?= must )/, 'it'))
    .join('; ')
    .slice(0, mostCharacters);
}

/** Formats the result of one workflow as text lines: a summary line, then a block for each failed step. */
export function workflowLines({ workflowId, passed, steps }: WorkflowResult, milliseconds: number): readonly string[] {
  const all = steps.length;
  const done = steps.filter(({ outcome }) => outcome === 'passed').length;
  const counted = passed ? count(all, 'step') : `${done} of ${count(all, 'step')}`;
  const head = `${passed ? 'passed' : 'FAILED'}  ${workflowId.padEnd(22)}  ${counted}, ${(milliseconds / 1000).toFixed(1)} s`;
  return [head, ...steps.filter(({ outcome }) => outcome === 'failed').flatMap(block)];
}

function block({ name, call, trace, failures }: StepResult): string[] {
  return [
    `        at ${name}`,
    ...(call === '' ? [] : [`        ${call}  (trace ${trace ?? 'unknown'})`]),
    ...failures.flatMap(({ expected, found }) => [`          expected  ${expected}`, `          found     ${found}`]),
  ];
}

/** Formats the totals of all workflows as text. */
export function summaryText(results: readonly WorkflowResult[]): string {
  const failed = results.filter(({ passed }) => !passed);
  const steps = results.flatMap((result) => result.steps);
  const missed = steps.filter(({ outcome }) => outcome === 'not reached').length;
  const verdict =
    failed.length === 0
      ? `${count(results.length, 'workflow')} passed`
      : `${failed.length} of ${count(results.length, 'workflow')} failed: ${failed.map(({ workflowId }) => workflowId).join(', ')}`;
  const checks = steps.reduce((sum, step) => sum + step.checks, 0);
  const unreached = missed === 0 ? '' : `, ${missed} not reached`;
  return `${verdict}. ${count(steps.length, 'step')}, ${count(checks, 'check')}${unreached}.`;
}

/** Formats the results as JUnit XML, with a suite per workflow and a case per step. Steps not reached are skipped. */
export function junitReport(results: readonly WorkflowResult[]): string {
  const cases = results.flatMap(({ workflowId, steps }) =>
    steps.map((step) => {
      const [first] = step.failures;
      return {
        suite: workflowId,
        className: `workflows.${workflowId}`,
        name: step.name,
        seconds: step.seconds,
        isSkipped: step.outcome === 'not reached',
        failure: first && {
          message: `expected ${first.expected}; found ${first.found}`,
          type: first.check,
          details: describe(step),
        },
      };
    }),
  );
  return junitXml(cases, 'workflows');
}

function describe({ call, trace, failures }: StepResult): string {
  const lines = failures.map(({ check, expected, found }) => `${check}: expected ${expected}; found ${found}`);
  return [...(call === '' ? [] : [`${call}, trace ${trace ?? 'unknown'}`]), ...lines].join('\n');
}
