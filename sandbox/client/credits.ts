import { digest } from '../runtime/secrets.ts';

/** What stands for all values of a credit, by which a repeat is told from another under the same transactionId (OP-16). */
export function creditFingerprint(credit: {
  readonly uid: string;
  readonly eventType: string;
  readonly paymentAmount: string;
  readonly points: number;
}): string {
  const { uid, eventType, paymentAmount, points } = credit;
  return digest(JSON.stringify([uid, eventType, paymentAmount, points]));
}
