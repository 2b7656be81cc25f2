/** The walk-throughs of CONTRIBUTING.md in a copy: each failure names the next step, and in the end everything passes. */
import { expect, it } from 'vitest';
import { ChangedCopy, type CommandResult } from './changed-copy.ts';

/** Throws with the output of a failed command. */
function expectPass({ code, text }: CommandResult): void {
  if (code !== 0) throw new Error(text.slice(-10_000));
}

/** Expects that a command failed, with this message. */
function expectFailure({ code, text }: CommandResult, message: string): void {
  expect([code === 0, text.includes(message) || text.slice(-10_000)]).toEqual([false, true]);
}

it('add a field to a reply: four files by hand, found by the type check and the tests', async () => {
  const copy = await ChangedCopy.create();
  const contract = 'openapi/sandbox/clock.yaml';
  await copy.replace(contract, 'required: [now, mode]', 'required: [now, mode, zone]');
  await copy.add(
    contract,
    '\n      zone: { type: string, description: The time zone of texts. }',
    'enum: [running, frozen] }',
  );
  await copy.replace(
    contract,
    '"2026-01-12T04:30:00.000Z", mode: frozen }',
    '"2026-01-12T04:30:00.000Z", mode: frozen, zone: IST }',
  );
  expectPass(await copy.generate());

  const handler = 'sandbox/control/operations/clock.ts';
  expectFailure(await copy.typecheck(), handler);
  await copy.replace(handler, 'mode: control.clock.mode }', "mode: control.clock.mode, zone: 'IST' }");
  expectPass(await copy.typecheck());

  const test = 'test/control/clock.test.ts';
  expectFailure(await copy.test('gate', test), '+   "zone": "IST"');
  await copy.replace(test, "now: start, mode: 'frozen' }", "now: start, mode: 'frozen', zone: 'IST' }");
  await copy.replace(test, "T00:00:00.000Z', mode: 'running' }", "T00:00:00.000Z', mode: 'running', zone: 'IST' }");
  expectPass(await copy.test('gate', test, 'test/contract/contracts.test.ts'));
  expect(copy.changedFiles).toEqual([contract, handler, test]);
});

it('add an operation: contract, handler, its line in the list, and tests; none of them can be forgotten', async () => {
  const copy = await ChangedCopy.create();
  const contract = 'openapi/sandbox/clock.yaml';
  await copy.add(
    contract,
    `
  /clock/zone:
    get:
      operationId: getClockZone
      tags: [Time]
      summary: Read the time zone
      description: Returns the time zone of texts that the sandbox writes.
      x-hosted-by: sandbox
      x-basis: OP-01
      responses:
        "200":
          description: The time zone.
          headers: *headers
          content:
            application/json:
              schema: { $ref: "#/schemas/Zone" }
              examples:
                india: { summary: The interface's zone, value: { zone: IST } }
        "400": *badHead
        "401": *unauthorized
        "500": *internal
        "503": *unavailable`,
    '        "503": &unavailable { $ref: ../components/flat-errors.yaml#/responses/Unavailable }',
  );
  await copy.add(
    contract,
    `  Zone:
    type: object
    additionalProperties: false
    required: [zone]
    properties:
      zone: { type: string }
`,
  );
  const root = 'openapi/sandbox.yaml';
  await copy.add(
    root,
    '\n  /clock/zone: { $ref: "sandbox/clock.yaml#/paths/~1clock~1zone" }',
    '/clock/advance: { $ref: "sandbox/clock.yaml#/paths/~1clock~1advance" }',
  );
  await copy.add(
    root,
    '\n    Zone: { $ref: sandbox/clock.yaml#/schemas/Zone }',
    '    Clock: { $ref: sandbox/clock.yaml#/schemas/Clock }',
  );
  expectPass(await copy.generate());

  const list = 'sandbox/control/api.ts';
  expectFailure(await copy.typecheck(), list);
  const handler = 'sandbox/control/operations/clock.ts';
  await copy.add(
    handler,
    `
/** Returns the time zone of texts. */
export async function getClockZone(_: Control, _call: ControlCall<'getClockZone'>): Promise<ControlReply<'getClockZone'>> {
  return { status: 200, body: { zone: 'IST' } };
}
`,
  );
  await copy.replace(list, 'advanceClock, getClock, settle }', 'advanceClock, getClock, getClockZone, settle }');
  await copy.add(list, '\n  getClockZone,', '\n  getClock,');
  expectPass(await copy.typecheck());

  expectFailure(await copy.test('gate', 'test/journeys'), 'getClockZone');
  const journey = 'test/journeys/ci-job.ts';
  await copy.add(
    journey,
    "\n  expect(ok(await control.GET('/clock/zone'))).toEqual({ zone: 'IST' });",
    "  expect(ok(await control.GET('/clock'))).toEqual(ok(await forked.GET('/clock')));",
  );
  const test = 'test/control/clock.test.ts';
  await copy.add(
    test,
    `
it('the time zone is that of the interface', async () => {
  const { control } = await testSandbox();
  expect(ok(await control.GET('/clock/zone'))).toEqual({ zone: 'IST' });
});
`,
  );
  expectPass(
    await copy.test('gate', 'test/journeys', test, 'test/architecture.test.ts', 'test/contract/contracts.test.ts'),
  );
  expect(copy.changedFiles).toEqual([root, contract, list, handler, test, journey].toSorted());
});

it('add a requirement of the certification: its text, its probe, a server with the mistake, and what catches it', async () => {
  const copy = await ChangedCopy.create();
  const list = 'sandbox/certification/requirements/current.yaml';
  await copy.add(
    list,
    `
  - id: CRD-19
    title: A credit of one point is accepted
    group: credit
    operation: creditPoints
    aspect: rules
    basis: stated B4
    level: must
    needs: [v1, service]
    calls: 3
    how: Credits one point, and compares the balance before and after.
    change: Credit one point like any other number.`,
    '    change: Add the points of a credit to `totalEarned`.',
  );
  expectFailure(await copy.test('gate', 'test/certification/requirements.test.ts'), 'CRD-19');
  const probe = 'sandbox/certification/probes/credit.ts';
  await copy.add(
    probe,
    `
  'CRD-19': async (probing) => {
    const before = await probing.balance();
    const answer = await probing.operations.credit(probing.event(1));
    await balanceIs(probing, before + 1, 'a credit of one point', [answer]);
  },`,
    'export const creditProbes = {',
  );
  expectPass(await copy.test('gate', 'test/certification/requirements.test.ts'));

  const mistakes = 'test/harness/partner/mistakes.ts';
  await copy.add(
    mistakes,
    "\n    'credit-one-refused': 'A credit of one point is refused.',",
    "    'credit-zero-refused': 'A credit of no points is refused.',",
  );
  const caught = 'test/certification/caught/ledger.ts';
  expectFailure(await copy.typecheck(), caught);
  await copy.add(caught, "\n  'credit-one-refused': 'CRD-19',", "  'credit-zero-refused': 'CRD-17',");
  expectPass(await copy.typecheck());
  const run = () =>
    copy.test('nightly', 'test/certification/mistakes-ledger.nightly.test.ts', '-t', 'credit-one-refused');
  expectFailure(await run(), 'credit-one-refused');
  const server = 'test/harness/partner/fields.ts';
  await copy.add(
    server,
    "\n  if (has('credit-one-refused')) return like(/^(0|[2-9]|[1-9][0-9]{1,14})$/);",
    "  if (has('credit-zero-refused')) return positive;",
  );
  expectPass(await run());
  expect(copy.changedFiles).toEqual([list, probe, mistakes, caught, server].toSorted());
});
