import type { operations } from '../../generated/client/types.ts';
import { createClientClient, createV2Client } from '../../generated/index.ts';
import type { operations as V2Operations } from '../../generated/v2/types.ts';
import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Activity } from '../runtime/activity.ts';
import { type Outgoing, reasonOf } from '../runtime/outgoing.ts';
import type { SeededRandom } from '../runtime/random.ts';

type Body<Id extends 'creditPoints' | 'saveRedeemDetails' | 'updateRedeemStatus'> =
  operations[Id]['requestBody']['content']['application/json'];
type ProfileAndPoints = operations['getProfileAndPoints']['responses'][200]['content']['application/json'];
type V2Body<Id extends 'redeemPoints' | 'reversePoints'> =
  V2Operations[Id]['requestBody']['content']['application/json'];
type CustomerPoints = V2Operations['getCustomerPoints']['responses'][200]['content']['application/json'];

/** How the client answered: yes, no with its own message, or nothing that can be used. */
export type ClientAnswer<T = unknown> =
  | { readonly kind: 'accepted'; readonly body: T }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'no_answer'; readonly reason: string };

/** Where the client is and what the platform shows it where no customer is present (OP-17). */
export interface ClientAddress {
  readonly client_url: string;
  readonly client_token: string;
}

/** The platform's calls to the client, always over HTTP. Each reply is held against the contract before it is believed. */
export class ClientGateway {
  readonly #contracts: readonly LoadedContract[];
  readonly #outgoing: Outgoing;
  readonly #activity: Activity;
  readonly #random: SeededRandom;
  readonly #address: () => ClientAddress;

  /** @param contracts what the client hosts for the platform, in both versions */
  constructor(
    contracts: readonly LoadedContract[],
    outgoing: Outgoing,
    activity: Activity,
    random: SeededRandom,
    address: () => ClientAddress,
  ) {
    this.#contracts = contracts;
    this.#outgoing = outgoing;
    this.#activity = activity;
    this.#random = random;
    this.#address = address;
  }

  /** @param token the customer's JWT; left out, the service token */
  getProfileAndPoints(uid: string, trace: string, token?: string): Promise<ClientAnswer<ProfileAndPoints>> {
    const query = `?uid=${encodeURIComponent(uid)}`;
    return this.#call('getProfileAndPoints', { trace, token, query }, (headers) =>
      this.#v1().POST('/getProfileAndPoints', { params: { query: { uid } }, headers }),
    ) as Promise<ClientAnswer<ProfileAndPoints>>;
  }

  creditPoints(body: Body<'creditPoints'>, trace: string): Promise<ClientAnswer> {
    return this.#call('creditPoints', { body, trace }, (headers) =>
      this.#v1().POST('/creditPoints', { body, headers }),
    );
  }

  /** @param token the customer's JWT when a customer orders; left out, the service token */
  saveRedeemDetails(body: Body<'saveRedeemDetails'>, trace: string, token?: string): Promise<ClientAnswer> {
    return this.#call('saveRedeemDetails', { body, trace, token }, (headers) =>
      this.#v1().POST('/saveRedeemDetails', { body, headers }),
    );
  }

  updateRedeemStatus(body: Body<'updateRedeemStatus'>, trace: string): Promise<ClientAnswer> {
    return this.#call('updateRedeemStatus', { body, trace }, (headers) =>
      this.#v1().POST('/updateRedeemStatus', { body, headers }),
    );
  }

  /** @param token the customer's JWT; left out, the service token */
  getCustomerPoints(customer_id: string, trace: string, token?: string): Promise<ClientAnswer<CustomerPoints>> {
    const query = `?customer_id=${encodeURIComponent(customer_id)}`;
    return this.#call('getCustomerPoints', { trace, token, query }, (headers) =>
      this.#v2().GET('/api/v1/customer/points', { params: { query: { customer_id } }, headers }),
    ) as Promise<ClientAnswer<CustomerPoints>>;
  }

  /** @param token the customer's JWT when a customer orders; left out, the service token */
  redeemPoints(body: V2Body<'redeemPoints'>, trace: string, token?: string): Promise<ClientAnswer> {
    return this.#call('redeemPoints', { body, trace, token }, (headers) =>
      this.#v2().POST('/api/v1/orders/redeem', { body, headers }),
    );
  }

  reversePoints(body: V2Body<'reversePoints'>, trace: string): Promise<ClientAnswer> {
    return this.#call('reversePoints', { body, trace }, (headers) =>
      this.#v2().POST('/api/v1/orders/reverse', { body, headers }),
    );
  }

  #v1() {
    return createClientClient({ baseUrl: this.#address().client_url, ...this.#outgoing.options });
  }

  #v2() {
    return createV2Client({ baseUrl: this.#address().client_url, ...this.#outgoing.options });
  }

  async #call(id: OperationId, asked: Asked, send: (headers: Headers) => Promise<Sent>): Promise<ClientAnswer> {
    const { trace, query = '', body: request = null } = asked;
    const { client_url, client_token } = this.#address();
    const { operation, schemas } = this.#documented(id);
    const { method, path } = operation;
    const url = `${client_url}${path}${query}`;
    const seen = { kind: 'call_out', trace, party: 'client', method, url, operation: id, request } as const;
    const traceparent = `00-${trace}-${this.#random.hex(8)}-01`;
    try {
      const { data, error, response } = await send({
        Authorization: `Bearer ${asked.token ?? client_token}`,
        traceparent,
      });
      const reply = data ?? error;
      const answer = judge(operation, schemas, response.status, reply);
      const notices = answer.kind === 'no_answer' ? [answer.reason] : [];
      this.#activity.call({ ...seen, status: response.status, reply, notices });
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      this.#activity.call({ ...seen, status: null, reply: null, notices: [reason] });
      return { kind: 'no_answer', reason };
    }
  }

  #documented(id: OperationId): { operation: Operation; schemas: LoadedContract['schemas'] } {
    for (const { operations, schemas } of this.#contracts) {
      const operation = operations.find(({ operationId }) => operationId === id);
      if (operation !== undefined) return { operation, schemas };
    }
    throw new Error(`no contract of the client's has ${id}`);
  }
}

/** What a reply means, once it was held against the contract. */
function judge(operation: Operation, schemas: LoadedContract['schemas'], status: number, reply: unknown): ClientAnswer {
  const schema = operation.replies.get(status)?.schema;
  if (schema === undefined) return { kind: 'no_answer', reason: `status ${status} is not in the contract` };
  const found = schemas.check(schema)(reply);
  if (found !== undefined) return { kind: 'no_answer', reason: `reply ${found.where} ${found.problem}` };
  if (status < 300) return { kind: 'accepted', body: reply };
  const { message } = (reply as { data: { message: string } }).data;
  // A server that failed has not decided: only a 422 says no.
  return status === 422 ? { kind: 'refused', message } : { kind: 'no_answer', reason: `status ${status}: ${message}` };
}

type OperationId = keyof operations | keyof V2Operations;
type Headers = Readonly<Record<'Authorization' | 'traceparent', string>>;

/** What a call carries, besides what its operation says. */
interface Asked {
  readonly trace: string;
  /** Left out, the service token. */
  readonly token?: string | undefined;
  readonly query?: string;
  readonly body?: unknown;
}

interface Sent {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: { readonly status: number };
}
