import type { PlatformFailure } from '../domain/failures.ts';
import type { Line } from './books.ts';
import type { ClientAnswer } from './client-reply.ts';
import type { Platform } from './platform.ts';

/** In whose name the client is asked: the customer's, with the JWT, or the company's (OP-17). */
interface Asker {
  readonly jwt: string | undefined;
  readonly trace: string;
}

/** What goes into every redemption record of an order. */
export interface Contact {
  readonly shippingAddress: string;
  readonly email: string;
  readonly mobileNo: string;
}

/** How often saveRedeemDetails is tried within one order call (OP-24). */
const saveTries = 3;

/** How far the client went along with an order. */
export interface Taken {
  /** The client's answer to the last line that was sent. */
  readonly answer: ClientAnswer;
  /** Lines that the client has deducted, or may have. */
  readonly touched: readonly Line[];
  /** Points that it has deducted for sure. */
  readonly deducted: number;
}

/** Has the client deduct the lines one after the other, up to the first that it does not accept. */
export async function deductAll(
  platform: Platform,
  asker: Asker,
  lines: readonly Line[],
  contact: Contact,
): Promise<Taken> {
  const touched: Line[] = [];
  let deducted = 0;
  let answer: ClientAnswer = { kind: 'accepted', body: undefined };
  for (const line of lines) {
    const asked = await deduct(platform, asker, line, contact);
    answer = asked.answer;
    // A try without an answer may still arrive after a refusal: such a line is reported too.
    if (answer.kind !== 'refused' || asked.tries > 1) touched.push(line);
    if (answer.kind !== 'accepted') break;
    deducted += line.points.totalPointWithProcessingFee;
  }
  return { answer, touched, deducted };
}

/** Sends one redemption record, again with the same code while no answer comes (OP-23). */
async function deduct(platform: Platform, asker: Asker, line: Line, contact: Contact) {
  const { points } = line;
  const record = {
    uid: line.uid,
    scheme: platform.projectCode,
    redeemCode: line.redeemCode,
    redeemPoints: String(points.redeemPoints),
    shippingAddress: line.product_type === 'PHYSICAL' ? contact.shippingAddress : '',
    processingFee: String(points.processingFee),
    productCode: line.sku_code,
    productName: line.product_name,
    quantity: String(line.quantity),
    redeemStatus: 'pending',
    email: contact.email,
    mobileNo: contact.mobileNo,
    totalpoints: String(points.totalpoints),
    totalPointWithProcessingFee: String(points.totalPointWithProcessingFee),
    tdsSingleItem: String(points.tdsSingleItem),
  } as const;
  let answer = await platform.client.saveRedeemDetails(record, asker.trace, asker.jwt);
  let tries = 1;
  for (; tries < saveTries && answer.kind === 'no_answer'; tries += 1) {
    answer = await platform.client.saveRedeemDetails(record, asker.trace, asker.jwt);
  }
  return { answer, tries };
}

/** What the caller of the order hears when the client does not go along. */
export function clientSaysNo(
  answer: Exclude<ClientAnswer, { kind: 'accepted' }>,
): Extract<PlatformFailure, { kind: 'refused_by_client' | 'client_no_answer' }> {
  return answer.kind === 'refused'
    ? { kind: 'refused_by_client', message: answer.message }
    : { kind: 'client_no_answer' };
}

/** Why the lines of a failed order were rejected, for their remark. */
export function remarkOf(answer: ClientAnswer): string {
  return answer.kind === 'refused' ? `Refused by the client: ${answer.message}` : 'The client did not answer';
}
