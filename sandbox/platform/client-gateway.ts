import type { operations } from '../../generated/client/types.ts';
import { createClientClient, createV2Client } from '../../generated/index.ts';
import type { operations as V2Operations } from '../../generated/v2/types.ts';
import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Answer } from '../domain/answer.ts';
import type { Activity } from '../runtime/activity.ts';
import { type Outgoing, reasonOf } from '../runtime/outgoing.ts';
import type { SeededRandom } from '../runtime/random.ts';
import { checkSendable } from '../runtime/sendable.ts';
import { type ClientReply, judge } from './client-reply.ts';

type Body<Id extends 'creditPoints' | 'saveRedeemDetails' | 'updateRedeemStatus'> =
  operations[Id]['requestBody']['content']['application/json'];
type ProfileAndPoints = operations['getProfileAndPoints']['responses'][200]['content']['application/json'];
type V2Body<Id extends 'redeemPoints' | 'reversePoints'> =
  V2Operations[Id]['requestBody']['content']['application/json'];
type CustomerPoints = V2Operations['getCustomerPoints']['responses'][200]['content']['application/json'];

/** Where the client is and what the platform shows it where no customer is present (OP-17). */
export interface ClientAddress {
  readonly client_url: string;
  readonly client_token: string;
}

/** The platform's calls to the client, always over HTTP. Each reply is held against the contract before it is believed. */
export class ClientGateway {
  readonly #contracts: readonly LoadedContract[];
  readonly #outgoing: (url: string) => Outgoing;
  readonly #activity: Activity;
  readonly #random: SeededRandom;
  readonly #address: () => ClientAddress;

  /** @param contracts what the client hosts for the platform, in both versions */
  constructor(
    contracts: readonly LoadedContract[],
    outgoing: (url: string) => Outgoing,
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
  getProfileAndPoints(uid: string, trace: string, token?: string): Promise<Answer<ProfileAndPoints>> {
    const query = `?uid=${encodeURIComponent(uid)}`;
    return this.#call('getProfileAndPoints', { trace, token, query }, (at, headers) =>
      createClientClient(at).POST('/getProfileAndPoints', { params: { query: { uid } }, headers }),
    ) as Promise<Answer<ProfileAndPoints>>;
  }

  creditPoints(body: Body<'creditPoints'>, trace: string): Promise<Answer> {
    return this.#call('creditPoints', { body, trace }, (at, headers) =>
      createClientClient(at).POST('/creditPoints', { body, headers }),
    );
  }

  /** @param token the customer's JWT when a customer orders; left out, the service token */
  saveRedeemDetails(body: Body<'saveRedeemDetails'>, trace: string, token?: string): Promise<Answer> {
    return this.#call('saveRedeemDetails', { body, trace, token }, (at, headers) =>
      createClientClient(at).POST('/saveRedeemDetails', { body, headers }),
    );
  }

  updateRedeemStatus(body: Body<'updateRedeemStatus'>, trace: string): Promise<Answer> {
    return this.#call('updateRedeemStatus', { body, trace }, (at, headers) =>
      createClientClient(at).POST('/updateRedeemStatus', { body, headers }),
    );
  }

  /** @param token the customer's JWT; left out, the service token */
  getCustomerPoints(customer_id: string, trace: string, token?: string): Promise<Answer<CustomerPoints>> {
    const query = `?customer_id=${encodeURIComponent(customer_id)}`;
    return this.#call('getCustomerPoints', { trace, token, query }, (at, headers) =>
      createV2Client(at).GET('/api/v1/customer/points', { params: { query: { customer_id } }, headers }),
    ) as Promise<Answer<CustomerPoints>>;
  }

  /** @param token the customer's JWT when a customer orders; left out, the service token */
  redeemPoints(body: V2Body<'redeemPoints'>, trace: string, token?: string): Promise<Answer> {
    return this.#call('redeemPoints', { body, trace, token }, (at, headers) =>
      createV2Client(at).POST('/api/v1/orders/redeem', { body, headers }),
    );
  }

  reversePoints(body: V2Body<'reversePoints'>, trace: string): Promise<Answer> {
    return this.#call('reversePoints', { body, trace }, (at, headers) =>
      createV2Client(at).POST('/api/v1/orders/reverse', { body, headers }),
    );
  }

  async #call(id: OperationId, asked: Asked, send: Send): Promise<Answer> {
    const { trace, query = '', body: request = null } = asked;
    const { client_url, client_token } = this.#address();
    const { contract, operation } = this.#documented(id);
    const { method, path } = operation;
    const url = `${client_url}${path}${query}`;
    const seen = { kind: 'call_out', trace, party: 'client', method, url, operation: id, request } as const;
    const headers = {
      Authorization: `Bearer ${asked.token ?? client_token}`,
      traceparent: `00-${trace}-${this.#random.hex(8)}-01`,
    };
    try {
      checkSendable(headers);
      const reply = await this.#exchange(id, client_url, (at) => send(at, headers));
      const { answer, deviations } = judge(contract, id, reply);
      const notices = answer.kind === 'no_answer' ? [answer.reason] : [];
      const { status, body } = reply;
      this.#activity.call({ ...seen, status, reply: body, notices, ...(deviations.length > 0 && { deviations }) });
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      this.#activity.call({ ...seen, status: null, reply: null, notices: [reason] });
      return { kind: 'no_answer', reason };
    }
  }

  /** Sends a call and takes its reply as it came, also one that is not JSON. Rejects when there is none. */
  async #exchange(id: OperationId, baseUrl: string, send: (at: Address) => Promise<unknown>): Promise<ClientReply> {
    const { fetch, Request } = this.#outgoing(baseUrl).options(id);
    let came: Response | undefined;
    const kept = async (request: RequestInfo | URL) => {
      came = await fetch(request);
      return came.clone();
    };
    try {
      await send({ baseUrl, fetch: kept, Request });
    } catch (error) {
      if (came === undefined) throw error;
    }
    if (came === undefined) throw new Error('nothing was sent');
    return replyOf(came.status, await came.text());
  }

  #documented(id: OperationId): { contract: LoadedContract; operation: Operation } {
    for (const contract of this.#contracts) {
      const operation = contract.operations.find(({ operationId }) => operationId === id);
      if (operation !== undefined) return { contract, operation };
    }
    throw new Error(`no contract of the client's has ${id}`);
  }
}

function replyOf(status: number, text: string): ClientReply {
  if (text === '') return { status, body: undefined };
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: undefined, text };
  }
}

type OperationId = keyof operations | keyof V2Operations;
type Headers = Readonly<Record<'Authorization' | 'traceparent', string>>;
type Address = { readonly baseUrl: string } & ReturnType<Outgoing['options']>;
type Send = (at: Address, headers: Headers) => Promise<unknown>;

/** What a call carries, besides what its operation says. */
interface Asked {
  readonly trace: string;
  /** Left out, the service token. */
  readonly token?: string | undefined;
  readonly query?: string;
  readonly body?: unknown;
}
