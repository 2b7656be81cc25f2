import type { Mutant } from '../mutant.ts';

/** Mutants: mistakes of the reference client: who may ask, what is deducted, credited and given back. */
export const client: readonly Mutant[] = [
  {
    id: 'otp-of-another',
    title: "One customer's one-time password signs another customer in",
    file: 'sandbox/client/operations/verifyOtp.ts',
    find: 'const otp = found?.uid === uid ? found : undefined;',
    replace: 'const otp = found;',
    tests: ['test/client/otp.test.ts'],
    killedBy: 'OP-18: a code is bound to its reference and its customer',
  },
  {
    id: 'otp-tries-not-kept',
    title: 'A one-time password can be guessed without end, since tries are not written down',
    file: 'sandbox/client/operations/verifyOtp.ts',
    find: "    if (verdict.otp !== undefined) tx.put('otps', reference_id, verdict.otp);\n",
    replace: '',
    tests: ['test/client/otp.test.ts'],
    killedBy: 'OP-18: a code allows five tries; after five wrong ones the right one is refused too',
  },
  {
    id: 'basic-either-half',
    title: 'The right user name with any password opens the authentication API',
    file: 'sandbox/client/access.ts',
    find: 'return holds.every(Boolean)',
    replace: 'return holds.some(Boolean)',
    tests: ['test/client/otp.test.ts'],
    killedBy: 'OP-37: missing or wrong Basic credentials are 401, before the body is looked at',
  },
  {
    id: 'credited-twice',
    title: 'A credit that is sent again is booked again',
    file: 'sandbox/client/operations/creditPoints.ts',
    find: '    if (known !== undefined) return { status: 200, body: { success: true, status: 200 } };\n',
    replace: '',
    tests: ['test/client/creditPoints.test.ts'],
    killedBy: 'OP-16: the same transactionId with the same values is 200 again, and credited once',
  },
  {
    id: 'deducted-twice',
    title: 'A deduction that is sent again takes the points again',
    file: 'sandbox/domain/redemption.ts',
    find: `  if (redemption === undefined) {
    if (command.points > balance) return refuse('points_changed');`,
    replace: `  if (redemption === undefined || redemption.state === 'Pending') {
    if (command.points > balance) return refuse('points_changed');`,
    tests: ['test/client/redemptions.test.ts'],
    killedBy: 'OP-23: the same redemption again is 200, with one deduction, also when it has been delivered',
  },
  {
    id: 'reversed-twice',
    title: 'A rejection that is reported twice gives the points back twice',
    file: 'sandbox/domain/redemption.ts',
    find: `    case 'Rejected':
      return command.status === 'Rejected' ? nothing : refuse('order_already_rejected');`,
    replace: `    case 'Rejected':
      return command.status === 'Rejected'
        ? { events: [reversal(redemption, command.reason)] }
        : refuse('order_already_rejected');`,
    tests: ['test/domain/redemption.test.ts'],
    killedBy: 'any commands: at most one deduction, then at most one end, which nothing moves any more',
  },
  {
    id: 'reversal-of-nothing',
    title: 'A reversal that names other points than were deducted is carried out',
    file: 'sandbox/domain/redemption.ts',
    find: "redemption.state !== 'Refused' && redemption.points !== command.points) {",
    replace: "redemption.state !== 'Refused' && redemption.points < command.points) {",
    tests: ['test/client/v2-points.test.ts'],
    killedBy:
      'OP-29: reversePoints that names another number than was deducted is refused, before and after the reversal',
  },
  {
    id: 'late-deduction',
    title: 'A deduction that arrives after its rejection is taken and never given back',
    file: 'sandbox/domain/redemption.ts',
    find: "status === 'Rejected' && redemption === undefined ? [{ type: 'refused' }] : []",
    replace: "status === 'Pending' && redemption === undefined ? [{ type: 'refused' }] : []",
    tests: ['test/client/redemptions.test.ts'],
    killedBy: 'OP-22: a Rejected for an unknown code leaves a mark, so that the late deduction is refused for good',
  },
  {
    id: 'fingerprint-of-some',
    title: 'A redemption with another product under the same code is taken for a repeat',
    file: 'sandbox/client/redemptions.ts',
    find: 'Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))',
    replace: '[uid, redeemCode, points]',
    tests: ['test/client/redemptions.test.ts'],
    killedBy: 'OP-23: the same redeemCode with any other value is refused, and nothing is deducted',
  },
  {
    id: 'timeout-against-the-setting',
    title: 'A redemption that takes long is reversed although the workspace is to wait',
    file: 'sandbox/client/workers/pendingTimeout.ts',
    find: "    if (client.settings().on_timeout === 'wait') return;\n",
    replace: '',
    tests: ['test/client/pending-timeout.test.ts'],
    killedBy: 'OP-22: wait, the default: the points stay deducted and the redemption stays pending',
  },
  {
    id: 'vouchers-not-sent',
    title: 'A customer never gets the voucher when the wallet cannot be read at first',
    file: 'sandbox/client/workers/sendVouchers.ts',
    find: 'return inParts(client, [work, ...due], (tx, piece) => tryLater(client, tx, piece, uid));',
    replace: 'return inParts(client, [work, ...due], finish);',
    tests: ['test/client/one-against-all.test.ts'],
    killedBy:
      'OP-92: a read that fails is the try of every redemption that waits for it, and the next one serves them all',
  },
  {
    id: 'vouchers-of-all',
    title: 'Every delivery sends all vouchers of the customer once more',
    file: 'sandbox/client/workers/sendVouchers.ts',
    find: 'vouchers: vouchers.get(redeemCode) ?? [],',
    replace: 'vouchers: wallet,',
    tests: ['test/client/one-against-all.test.ts'],
    killedBy:
      'OP-92: a wallet of 400 vouchers is read once for all its redemptions, each voucher is sent once, and others go on',
  },
];
