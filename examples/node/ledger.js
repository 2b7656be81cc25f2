/**
 * Customers and their points. REPLACE THIS FILE by one that works on your own database.
 *
 * Each method is one transaction: it checks and books in one step, so that calls which come at the same time cannot pass
 * each other between the check and the booking. Here that is so because a method never waits. On a database lock the
 * customer's row (`SELECT ... FOR UPDATE`), make `transactionId` and `redeemCode` unique keys, and return promises: the
 * callers await them.
 */
import { Refused } from './refused.js';

/** The most that points written as text can carry. */
const mostPoints = 999_999_999_999_999;

export class Ledger {
  #customers = new Map();
  /** What was credited: transactionId -> all values of the call. */
  #credits = new Map();
  /** redeemCode -> { state, uid, points, values }; one that was rejected before its deduction has a state only. */
  #redemptions = new Map();

  constructor(projectCode) {
    for (const number of [1, 2, 3]) {
      const profile = demoProfile(number, projectCode);
      this.#customers.set(profile.uid, { profile, earned: 10_000, redeemed: 0 });
    }
  }

  /** A customer's profile and points. */
  find(uid) {
    const { profile, earned, redeemed } = this.#customer(uid);
    return { profile, points: { totalEarned: earned, balance: earned - redeemed, totalRedeemed: redeemed } };
  }

  /** Credits points once per transactionId. `values` identifies everything that must be equal in a repeat. */
  credit({ transactionId, uid, points, values }) {
    const before = this.#credits.get(transactionId);
    if (before === values) return;
    if (before !== undefined) throw new Refused(422, 'transactionId was used with other values.');
    const customer = this.#customer(uid);
    if (customer.earned + points > mostPoints) throw new Refused(422, 'The account cannot hold so many points.');
    this.#credits.set(transactionId, values);
    customer.earned += points;
  }

  /** Deducts points once per redeemCode, never beyond the balance. Returns the balance. */
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

  /** Notes how a redemption stands: 'Pending', 'Delivered' or 'Rejected', which gives the points back, once. */
  report(redeemCode, status) {
    const redemption = this.#redemptions.get(redeemCode);
    if (redemption?.uid === undefined) {
      // Remember a rejection that comes before its deduction: the late deduction must be refused.
      if (status === 'Rejected') this.#redemptions.set(redeemCode, { state: 'Rejected' });
      throw new Refused(422, 'Unknown redeemCode.');
    }
    if (redemption.state === status) return;
    if (redemption.state !== 'Pending') throw new Refused(422, `Order already ${redemption.state}.`);
    redemption.state = status;
    if (status === 'Rejected') this.#customer(redemption.uid).redeemed -= redemption.points;
  }

  /** Version 2.0's rejection, which names the points that were deducted. Returns the balance. */
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
