import { newBuilder } from '../../sandbox/conformance/report-junit.ts';
import type { StepResult, WorkflowResult } from './results.ts';

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
