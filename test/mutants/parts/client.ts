import type { Mutants } from '../mutant.ts';

/** Mistakes in the reference client: authentication, deductions, credits and refunds. */
export const client: Mutants = {
  'otp-of-another': {
    title: "One customer's one-time password signs another customer in",
    file: 'sandbox/client/operations/customer-sign-in.ts',
    find: 'const otp = found?.uid === uid ? found : undefined;',
    replace: 'const otp = found;',
    killedBy: 'OP-18: a code is bound to its reference and its customer',
  },
  'otp-attempts-not-stored': {
    title: 'A one-time password can be guessed without limit, since failed attempts are not stored',
    file: 'sandbox/client/operations/customer-sign-in.ts',
    find: "if (verdict.otp !== undefined) tx.put('otps', reference_id, verdict.otp);",
    killedBy: 'OP-18: a code allows five tries; after five wrong ones the right one is refused too',
  },
  'basic-either-half': {
    title: 'The right user name with any password opens the authentication API',
    file: 'sandbox/client/access.ts',
    find: 'return holds.every(Boolean)',
    replace: 'return holds.some(Boolean)',
    killedBy: 'OP-37: missing or wrong Basic credentials get 401 before the body is read',
  },
  'credited-twice': {
    title: 'A repeated credit is booked again',
    file: 'sandbox/client/operations/points.ts',
    find: 'if (earlier !== undefined) return { status: 200, body: { success: true, status: 200 } };',
    only: 'OP-16',
    killedBy: 'OP-16: the same transactionId with the same values is 200 again, and credited once',
  },
  'deducted-twice': {
    title: 'A repeated deduction takes the points again',
    file: 'sandbox/domain/ledger.ts',
    find: 'if (redemption === undefined) {',
    replace: "if (redemption === undefined || redemption.state === 'Pending') {",
    killedBy: 'OP-23: the same redemption again gets 200, with one deduction, even after its delivery',
  },
  'reversed-twice': {
    title: 'A rejection that is reported twice refunds the points twice',
    file: 'sandbox/domain/ledger.ts',
    find: "case 'Rejected': return status === 'Rejected' ? nothing : refuse('order_already_rejected');",
    replace:
      "case 'Rejected': return status === 'Rejected' ? { events: [reversal(redemption, reason)] } : refuse('order_already_rejected');",
    killedBy: 'OP-21: ten concurrent reports of Rejected refund the points once',
  },
  'reversal-of-nothing': {
    title: 'A reversal of a different number of points than were deducted is accepted',
    file: 'sandbox/domain/ledger.ts',
    find: "redemption.state !== 'Refused' && redemption.points !== command.points) {",
    replace: "redemption.state !== 'Refused' && redemption.points < command.points) {",
    killedBy: 'OP-29: reversePoints with a number other than the deducted points is refused, before and after the',
  },
  'late-deduction': {
    title: 'A deduction that arrives after its rejection is accepted and never refunded',
    file: 'sandbox/domain/ledger.ts',
    find: "const isMarked = status === 'Rejected' && redemption === undefined;",
    replace: "const isMarked = status === 'Pending' && redemption === undefined;",
    killedBy: 'OP-22: a Rejected for an unknown code leaves a mark, so that a late deduction is always refused',
  },
  'fingerprint-of-some': {
    title: 'A redemption of another product under the same code passes for a repeat',
    file: 'sandbox/client/redemptions.ts',
    find: 'JSON.stringify(fields.map((name) => [name, record[name]]))',
    replace: 'JSON.stringify([fields.length, booked.uid, redeemCode, booked.points])',
    killedBy: 'OP-23: the same redeemCode with any other value is refused, and nothing is deducted',
  },
  'timeout-against-the-setting': {
    title: 'A slow redemption is reversed although the workspace is set to wait',
    file: 'sandbox/client/redemptions.ts',
    find: "if (client.settings().on_timeout === 'wait') return;",
    killedBy: 'OP-22: wait, the default: the points stay deducted and the redemption stays pending',
  },
  'vouchers-not-sent': {
    title: 'A customer never gets the voucher when the first read of the wallet fails',
    file: 'sandbox/client/workers/sendVouchers.ts',
    find: 'return inParts(client, [work, ...due], (tx, piece) => tryLater(client, tx, piece, uid));',
    replace: 'return inParts(client, [work, ...due], finish);',
    killedBy: 'OP-92: a failed read counts as a try of every waiting redemption, and the next read serves',
  },
  'vouchers-of-all': {
    title: 'Every delivery sends all vouchers of the customer again',
    file: 'sandbox/client/workers/sendVouchers.ts',
    find: 'vouchers: vouchers.get(redeemCode) ?? [],',
    replace: 'vouchers: wallet,',
    killedBy: 'OP-92: a wallet of 400 vouchers is read once for all its redemptions, each voucher is sent once, and',
  },
};
