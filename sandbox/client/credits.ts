import { digest } from '../runtime/secrets.ts';

/** A hash of all values of a credit, which distinguishes a repeat from another credit with its transactionId (OP-16). */
export function creditFingerprint(credit: {
  readonly uid: string;
  readonly eventType: string;
  readonly paymentAmount: string;
  readonly points: number;
}): string {
  const { uid, eventType, paymentAmount, points } = credit;
  return digest(JSON.stringify([uid, eventType, paymentAmount, points]));
}
