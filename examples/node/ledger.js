/**
 * Customers and their points. REPLACE THIS FILE with one that uses your own database.
 *
 * Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave between
 * the two. Here, methods guarantee that by running synchronously. With a database, lock the customer's row (`SELECT ...
 * FOR UPDATE`), make `transactionId` and `redeemCode` unique keys, and return promises, which the callers await.
 */
import { Refused } from './refused.js';

/** The maximum number of points that fits the text format (15 digits). */
const mostPoints = 999_999_999_999_999;

export class Ledger {
  #customers = new Map();
  /** Credits: transactionId -> fingerprint of the call. */
  #credits = new Map();
  /** Redemptions: redeemCode -> { state, uid, points, values }. If rejected before its deduction, an entry only has a state. */
  #redemptions = new Map();

  constructor(projectCode) {
    for (const number of [1, 2, 3]) {
      const profile = demoProfile(number, projectCode);
      this.#customers.set(profile.uid, { profile, earned: 10_000, redeemed: 0 });
    }
  }

  /** Returns a customer's profile and points. */
  find(uid) {
    const { profile, earned, redeemed } = this.#customer(uid);
    return { profile, points: { totalEarned: earned, balance: earned - redeemed, totalRedeemed: redeemed } };
  }

  /** Credits points once per transactionId. `values` is a fingerprint of the fields that a repeat must match. */
  credit({ transactionId, uid, points, values }) {
    const before = this.#credits.get(transactionId);
    if (before === values) return;
    if (before !== undefined) throw new Refused(422, 'transactionId was used with other values.');
    const customer = this.#customer(uid);
    if (customer.earned + points > mostPoints) throw new Refused(422, 'The account cannot hold so many points.');
    this.#credits.set(transactionId, values);
    customer.earned += points;
  }

  /** Deducts points once per redeemCode, never more than the balance. Returns the balance. */
  deduct({ redeemCode, uid, points, values }) {
    const customer = this.#customer(uid);
    const before = this.#redemptions.get(redeemCode);
    if (before?.state === 'Rejected') throw new Refused(422, 'Order already Rejected.');
    if (before !== undefined && before.values !== values) {
      throw new Refused(422, 'redeemCode was used with other values.');
    }
    if (before === undefined) {
      if (points > customer.earned - customer.redeemed) throw new Refused(422, 'User points have changed.');
      this.#redemptions.set(redeemCode, { state: 'Pending', uid, points, values });
      customer.redeemed += points;
    }
    return customer.earned - customer.redeemed;
  }

  /** Records the status of a redemption: 'Pending', 'Delivered' or 'Rejected'. 'Rejected' refunds the points, once. */
  report(redeemCode, status) {
    const redemption = this.#redemptions.get(redeemCode);
    if (redemption?.uid === undefined) {
      // Remember a rejection that arrives before its deduction, because the late deduction must be refused.
      if (status === 'Rejected') this.#redemptions.set(redeemCode, { state: 'Rejected' });
      throw new Refused(422, 'Unknown redeemCode.');
    }
    if (redemption.state === status) return;
    if (redemption.state !== 'Pending') throw new Refused(422, `Order already ${redemption.state}.`);
    redemption.state = status;
    if (status === 'Rejected') this.#customer(redemption.uid).redeemed -= redemption.points;
  }

  /** Rejects a redemption in version 2.0, where the call must name the deducted points. Returns the balance. */
  reverse(redeemCode, points) {
    const redemption = this.#redemptions.get(redeemCode);
    if (redemption?.uid !== undefined && redemption.points !== points) {
      throw new Refused(422, 'redeemCode was used with other values.');
    }
    this.report(redeemCode, 'Rejected');
    return this.find(redemption.uid).points.balance;
  }

  #customer(uid) {
    const customer = this.#customers.get(uid);
    if (customer === undefined) throw new Refused(422, 'Unknown customer.');
    return customer;
  }
}

function demoProfile(number, projectCode) {
  return {
    uid: `CUST000${number}`,
    name: `Demo Customer ${number}`,
    email: `customer${number}@example.com`,
    mobileNo: `500000000${number}`,
    dob: '14/08/1991',
    address1: '12 Lake View Road',
    address2: '',
    city: 'Bengaluru',
    pincode: 560_038,
    state: 29,
    cus_type: 'INDIVIDUAL',
    partnerType: 'RETAIL',
    pan: 'ABCXI1234K',
    panVerifiedStatus: 'VERIFIED',
    mdate: '',
    projectCode,
    projectName: 'Demo Rewards',
    projectId: 101,
  };
}
