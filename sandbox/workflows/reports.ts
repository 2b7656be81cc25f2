import { newBuilder } from '../conformance/report-junit.ts';
import { count } from '../conformance/report-words.ts';
import type { StepResult, WorkflowResult } from './results.ts';

/** What came of one workflow, for people, line by line: a line, and a block for each step that failed. */
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

/** The totals, for people. */
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

/** The results as JUnit XML: a suite for each workflow, a case for each step, skipped where it was not reached. */
export function junitReport(results: readonly WorkflowResult[]): string {
  const builder = newBuilder().name('workflows');
  for (const { workflowId, steps } of results) {
    const suite = builder.testSuite().name(workflowId);
    for (const step of steps) {
      const test = suite.testCase().className(`workflows.${workflowId}`).name(step.name).time(step.seconds);
      if (step.outcome === 'not reached') test.skipped();
      const [first] = step.failures;
      if (first)
        test.failure(`expected ${first.expected}; found ${first.found}`, first.check).stacktrace(describe(step));
    }
  }
  return `${builder.build()}\n`;
}

function describe({ call, trace, failures }: StepResult): string {
  const lines = failures.map(({ check, expected, found }) => `${check}: expected ${expected}; found ${found}`);
  return [...(call === '' ? [] : [`${call}, trace ${trace ?? 'unknown'}`]), ...lines].join('\n');
}
