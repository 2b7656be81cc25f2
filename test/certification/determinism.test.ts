/** The same server, the same seed: the same verdicts, to the byte; another order: the same verdicts too. */
import { expect, it } from 'vitest';
import type { RequirementVerdict } from '../../sandbox/conformance/certification/verdict.ts';
import { certifiedWhole, partnerServer } from './partner.ts';

async function run(server: Awaited<ReturnType<typeof partnerServer>>, seed: string) {
  const order: string[] = [];
  const progress = ({ id }: RequirementVerdict) => order.push(id);
  const report = await certifiedWhole(server, { seed }, { progress });
  return { verdicts: JSON.stringify(report.verdicts), order, report };
}

it('two whole runs with one seed give the same verdicts to the byte, in the same order, one after the other', async () => {
  const server = await partnerServer();
  const [first, second] = [await run(server, 'a'), await run(server, 'a')];
  expect(first.report.failures).toEqual([]);
  expect(first.report.counts).toMatchObject({ fail: 0, blocked: 0, suite_error: 0 });
  expect(second.verdicts).toBe(first.verdicts);
  expect(second.order).toEqual(first.order);
  expect([first.report.books, second.report.books]).toEqual(['even', 'even']);
});

it('another seed has another order and the same verdicts', async () => {
  const server = await partnerServer();
  const [first, second] = [await run(server, 'a'), await run(server, 'b')];
  expect(second.order).not.toEqual(first.order);
  expect(second.order.toSorted()).toEqual(first.order.toSorted());
  expect(second.verdicts).toBe(first.verdicts);
});
