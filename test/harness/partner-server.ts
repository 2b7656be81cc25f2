/** A partner's client server with an in-memory ledger, in both API versions. The server can have one mistake. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './http-server.ts';
import { ok, type TestSandbox } from './sandbox.ts';

/** The mistake of the server. */
export type Wrong =
  | 'forgets the reversal'
  | 'deducts twice on a repeat'
  | 'credits twice on a repeat'
  | 'deducts without the fee'
  | 'reverses without the fee'
  | 'reverses twice on a repeat'
  | 'deducts what it refuses'
  | 'accepts and deducts nothing'
  | 'reports a balance that never changes';

/**
 * The server's reaction to a call. `lose` processes it and disconnects before the reply, `drop` disconnects immediately, and `hold`
 * processes it and delays the reply until `release`.
 */
export type Reaction = 'answer' | 'lose' | 'drop' | 'refuse' | 'hold';

interface Deduction {
  readonly uid: string;
  readonly points: number;
  readonly fee: number;
  state: 'Pending' | 'Delivered' | 'Rejected';
}

const opening = 25_000;
const done = { status: 200, body: { success: true, status: 200 } };
const no = (message: string) => {
  const data = {
    name: 'Unprocessable entity',
    message,
    code: 0,
    status: 422,
    type: 'UnprocessableEntityHttpException',
  };
  return { status: 422, body: { success: false, status: 422, data } };
};
type Body = Readonly<Record<string, string | number>>;
type Answer = { readonly status: number; readonly body: unknown };

export class PartnerServer {
  /** The reactions to future calls. Calls without one receive a normal reply. */
  readonly plan: { readonly operation: string; readonly reaction: Reaction }[] = [];
  /** The operations of the calls so far. */
  readonly calls: string[] = [];
  url = '';
  /** Sends the reply that `hold` delays. */
  release: () => void = () => {};
  readonly #wrong: Wrong | undefined;
  readonly #balances = new Map<string, number>();
  readonly #deductions = new Map<string, Deduction>();
  readonly #credits = new Set<string>();

  constructor(wrong?: Wrong) {
    this.#wrong = wrong;
  }

  /** Starts the server. */
  async start(): Promise<this> {
    this.url = await serve((request, body, response) => this.#serve(request, body, response));
    return this;
  }

  /** Starts the server and makes it the workspace's client. */
  async standIn({ control }: Pick<TestSandbox, 'control'>): Promise<this> {
    await this.start();
    ok(await control.PATCH('/workspace', { body: { settings: { client_url: this.url } } }));
    return this;
  }

  balanceOf(uid: string): number {
    return this.#balances.get(uid) ?? opening;
  }

  /** Changes a balance without a call. */
  move(uid: string, points: number): void {
    this.#balances.set(uid, this.balanceOf(uid) + points);
  }

  /** Reverses a redemption that has been pending for too long. */
  timeOut(redeemCode: string): void {
    const deduction = this.#deductions.get(redeemCode);
    if (deduction !== undefined) this.#reverse(deduction);
  }

  #serve(request: IncomingMessage, text: string, response: ServerResponse): void {
    const url = new URL(request.url ?? '', this.url);
    const operation = url.pathname.split('/').at(-1) ?? '';
    this.calls.push(operation);
    const at = this.plan.findIndex((planned) => planned.operation === operation);
    const reaction = at === -1 ? 'answer' : (this.plan.splice(at, 1)[0]?.reaction ?? 'answer');
    if (reaction === 'drop') return void request.socket.destroy();
    const body: Body = text === '' ? Object.fromEntries(url.searchParams) : JSON.parse(text);
    const answer = this.#answer(operation, body, reaction === 'refuse');
    if (reaction === 'lose') return void request.socket.destroy();
    const reply = () => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    };
    if (reaction === 'hold') this.release = reply;
    else reply();
  }

  #answer(operation: string, body: Body, refused: boolean): Answer {
    switch (operation) {
      case 'getProfileAndPoints':
        return { status: 200, body: { profile: profile(String(body.uid)), points: this.#points(String(body.uid)) } };
      case 'points':
        return { status: 200, body: { customer_id: body.customer_id, points: this.#points(String(body.customer_id)) } };
      case 'saveRedeemDetails': {
        const [uid, points, fee] = [
          String(body.uid),
          Number(body.totalPointWithProcessingFee),
          Number(body.processingFee),
        ];
        return this.#deduct(String(body.redeemCode), { uid, points, fee }, refused);
      }
      case 'redeem': {
        const [uid, points] = [String(body.customer_id), Number(body.points)];
        return this.#withBalance(uid, this.#deduct(String(body.redeem_code), { uid, points, fee: 0 }, refused));
      }
      case 'updateRedeemStatus':
        return this.#report(String(body.redeemCode), body.status === 'Rejected' ? 'Rejected' : 'Delivered');
      case 'reverse': {
        const uid = this.#deductions.get(String(body.redeem_code))?.uid ?? '';
        return this.#withBalance(uid, this.#report(String(body.redeem_code), 'Rejected'));
      }
      case 'creditPoints':
        return this.#credit(String(body.uid), String(body.transactionId), Number(body.points));
      default:
        return { status: 404, body: {} };
    }
  }

  #deduct(redeemCode: string, deduction: Omit<Deduction, 'state'>, refused: boolean): Answer {
    const { uid, points, fee } = deduction;
    const amount = this.#wrong === 'deducts without the fee' ? points - fee : points;
    const isRepeat = this.#deductions.has(redeemCode);
    if (refused) {
      if (this.#wrong === 'deducts what it refuses') this.move(uid, -amount);
      return no('Points have changed.');
    }
    if (!isRepeat || this.#wrong === 'deducts twice on a repeat') {
      if (this.#wrong !== 'accepts and deducts nothing') this.move(uid, -amount);
    }
    if (!isRepeat) this.#deductions.set(redeemCode, { ...deduction, state: 'Pending' });
    return done;
  }

  #report(redeemCode: string, status: 'Delivered' | 'Rejected'): Answer {
    const deduction = this.#deductions.get(redeemCode);
    if (deduction === undefined) return no('Unknown redeemCode.');
    const { state } = deduction;
    if (state !== 'Pending' && state !== status) return no(`Order already ${state}.`);
    if (status === 'Delivered') deduction.state = status;
    else if (state === 'Pending' || this.#wrong === 'reverses twice on a repeat') this.#reverse(deduction);
    return done;
  }

  #reverse(deduction: Deduction): void {
    deduction.state = 'Rejected';
    if (this.#wrong === 'forgets the reversal') return;
    const { uid, points, fee } = deduction;
    this.move(uid, this.#wrong === 'reverses without the fee' ? points - fee : points);
  }

  #credit(uid: string, transactionId: string, points: number): Answer {
    const isRepeat = this.#credits.has(transactionId);
    if (!isRepeat || this.#wrong === 'credits twice on a repeat') this.move(uid, points);
    this.#credits.add(transactionId);
    return done;
  }

  #points(uid: string) {
    const balance = this.#wrong === 'reports a balance that never changes' ? opening : this.balanceOf(uid);
    const totalEarned = 100_000;
    return { totalEarned, balance, totalRedeemed: totalEarned - balance };
  }

  #withBalance(uid: string, { status, body }: Answer): Answer {
    return { status, body: status === 200 ? { ...(body as object), balance: this.balanceOf(uid) } : body };
  }
}

function profile(uid: string) {
  const [dob, mdate] = ['14/08/1991', ''];
  const address = { address1: '4 Mill Road', address2: '', city: 'Pune', pincode: 411_001, state: 27 };
  const kinds = { cus_type: 'RETAIL', partnerType: 'DIRECT', pan: 'ABCDE1234F', panVerifiedStatus: 'Y' };
  const project = { projectCode: 'DEMO01', projectName: 'Demo Rewards', projectId: 101 };
  return { uid, name: uid, email: '', mobileNo: '9000000001', dob, mdate, ...address, ...kinds, ...project };
}
