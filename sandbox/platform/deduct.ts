import { asksAgain, type Deductions, deducted, noDeductions } from '../domain/deduction.ts';
import type { Line } from './books.ts';
import type { ClientProtocol, Contact, OnBehalfOf } from './client-protocols.ts';

/** Has the client deduct the lines one after the other, up to the first that it does not accept. */
export async function deductAll(
  protocol: ClientProtocol,
  onBehalfOf: OnBehalfOf,
  lines: readonly Line[],
  contact: Contact,
): Promise<Deductions> {
  let deductions = noDeductions;
  for (const line of lines) {
    const { answer, tries } = await deduct(protocol, onBehalfOf, line, contact);
    const { redeemCode, points } = line;
    deductions = deducted(deductions, { redeemCode, points: points.totalPointWithProcessingFee }, answer, tries);
    if (answer.kind !== 'accepted') break;
  }
  return deductions;
}

/** Asks for one deduction, again with the same code while no answer comes (OP-23). */
async function deduct(protocol: ClientProtocol, onBehalfOf: OnBehalfOf, line: Line, contact: Contact) {
  let answer = await protocol.deduct(onBehalfOf, line, contact);
  let tries = 1;
  for (; asksAgain(answer, tries); tries += 1) answer = await protocol.deduct(onBehalfOf, line, contact);
  return { answer, tries };
}
