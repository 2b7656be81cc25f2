/** Probes of the replies of version 2.0, whose bodies are an assumption. */
import { asStated } from '../expecting.ts';
import { hangsOn } from '../hangs-on.ts';
import type { Probe, Probing } from '../probing.ts';
import { done, refusal } from './shapes-judged.ts';

const points = 7;
const assumed = { assumed: true, below: '/body' };

export const shapesV2Probes = {
  'SHP-17': async (probing) => {
    const answer = await probing.operations.points(probing.customer);
    asStated(done(answer, hangsOn.v2Points, 'The points request'), 'The points response', assumed);
  },
  'SHP-18': async (probing) => {
    const { deduction } = await deductAndReverse(probing);
    asStated(done(deduction, hangsOn.v2Deduction, 'A deduction'), 'The deduction response', assumed);
  },
  'SHP-19': async (probing) => {
    const { deduction, reversal } = await deductAndReverse(probing);
    done(deduction, hangsOn.v2Deduction, 'A deduction');
    asStated(done(reversal, hangsOn.v2Reversal, 'A reversal'), 'The reversal response', assumed);
  },
  'SHP-20': async (probing) => {
    const authorization = `Bearer ${probing.fresh()}`;
    const answer = await probing.operations.points(probing.customer, { authorization });
    asStated(refusal(answer, 'TOK-21', 'A points request with an invalid token'), 'The refusal of a points request', {
      ...assumed,
      reply: 'refusal',
    });
  },
} satisfies Record<string, Probe>;

/** A deduction and its reversal. */
async function deductAndReverse(probing: Probing) {
  const line = { redeem_code: probing.fresh(), points };
  const { customer, operations } = probing;
  const deduction = await operations.redeem({ customer_id: customer, order_id: probing.fresh(), ...line });
  const reversal = await operations.reverse({ ...line, reason: 'Product out of stock' });
  return { deduction, reversal };
}
