/**
 * Tests reports created from the log of `redocly respect`. `respect-log.json` was recorded with @redocly/cli 2.77.0
 * against a server with several mistakes. Headers and passed checks were removed.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { junitReport, resultsOf, summaryText, workflowLines } from '../../sandbox/workflows/results.ts';

const log = JSON.parse(readFileSync(new URL('respect-log.json', import.meta.url), 'utf8'));
const steps = ['signIn', 'fetch', 'after'].map((stepId) => ({ stepId, description: '' }));
const about = { summary: '', description: '', inputs: { properties: {} } };
const results = resultsOf(log, [{ workflowId: 'criteria', ...about, steps }]);

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const twoVouchers =
  'expected $response.body#/success == true &amp;&amp; $response.body#/data/0/denomination == 500; ' +
  'found $response.body#/success = true, $response.body#/data/0/denomination = nothing';
const badBody =
  'expected a body that matches the contract; found it must NOT have additional properties: "more".; ' +
  "it must have required property 'created_at'";

describe('OP-56: a run', () => {
  it('as JUnit XML: a suite for each workflow, a case for each step, with the expected and the actual value', () => {
    expect(junitReport(results)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="workflows" tests="6" failures="4" errors="0" skipped="1">
  <testsuite name="criteria" tests="3" failures="1" errors="0" skipped="1">
    <testcase classname="workflows.criteria" name="signIn / companySignsIn" time="0.029"/>
    <testcase classname="workflows.criteria" name="fetch" time="0.005">
      <failure message="${twoVouchers}" type="success criteria check"><![CDATA[GET http://127.0.0.1:4010/rewards/getwalletdetail?uid=CUST0001 -> 200, trace ${trace}
success criteria check: ${twoVouchers.replaceAll('&amp;', '&')}
success criteria check: expected $[?length(@.data) == 2]; found $response.body = {"success":true,"status":200,"data":[]}]]></failure>
    </testcase>
    <testcase classname="workflows.criteria" name="after" time="0">
      <skipped/>
    </testcase>
  </testsuite>
  <testsuite name="status" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="workflows.status" name="list" time="0.007">
      <failure message="expected $statusCode == 200; found $statusCode = 418" type="success criteria check"><![CDATA[GET http://127.0.0.1:4010/rewards/v1/partner/rewards?type=egv -> 418, trace ${trace}
success criteria check: expected $statusCode == 200; found $statusCode = 418
status code check: expected a documented status; found 418]]></failure>
    </testcase>
  </testsuite>
  <testsuite name="schema" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="workflows.schema" name="list" time="0.003">
      <failure message="${badBody.replaceAll('"', '&quot;')}" type="schema check"><![CDATA[GET http://127.0.0.1:4010/rewards/v1/partner/webhooks -> 200, trace ${trace}
schema check: ${badBody}]]></failure>
    </testcase>
  </testsuite>
  <testsuite name="network" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="workflows.network" name="ask" time="0">
      <failure message="expected a response; found fetch failed" type="failed network request"><![CDATA[failed network request: expected a response; found fetch failed]]></failure>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it('for people: a line for each workflow, a block for each failed step, and the totals', () => {
    const [criteria] = results;
    expect(
      criteria && workflowLines(criteria, 1234).join('\n'),
    ).toBe(`FAILED  criteria                1 of 3 steps, 1.2 s
        at fetch
        GET http://127.0.0.1:4010/rewards/getwalletdetail?uid=CUST0001 -> 200  (trace ${trace})
          expected  $response.body#/success == true && $response.body#/data/0/denomination == 500
          found     $response.body#/success = true, $response.body#/data/0/denomination = nothing
          expected  $[?length(@.data) == 2]
          found     $response.body = {"success":true,"status":200,"data":[]}`);
    expect(summaryText(results)).toBe(
      '4 of 4 workflows failed: criteria, status, schema, network. 6 steps, 17 checks, 1 not reached.',
    );
  });

  it('if it passed, is reported in one line', () => {
    const passed = { workflowId: 'earn', passed: true, steps: results[0]?.steps.slice(0, 1) ?? [] };
    expect(workflowLines(passed, 400)).toEqual(['passed  earn                    1 step, 0.4 s']);
    expect(summaryText([passed])).toBe('1 workflow passed. 1 step, 4 checks.');
  });
});
