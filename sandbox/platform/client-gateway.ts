import type { operations } from '../../generated/client/types.ts';
import { createClientClient } from '../../generated/index.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Activity } from '../runtime/activity.ts';
import { type Outgoing, reasonOf } from '../runtime/outgoing.ts';
import type { SeededRandom } from '../runtime/random.ts';

type Body<Id extends 'creditPoints' | 'saveRedeemDetails' | 'updateRedeemStatus'> =
  operations[Id]['requestBody']['content']['application/json'];
type ProfileAndPoints = operations['getProfileAndPoints']['responses'][200]['content']['application/json'];

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
  readonly #contract: LoadedContract;
  readonly #outgoing: (url: string) => Outgoing;
  readonly #activity: Activity;
  readonly #random: SeededRandom;
  readonly #address: () => ClientAddress;

  constructor(
    contract: LoadedContract,
    outgoing: (url: string) => Outgoing,
    activity: Activity,
    random: SeededRandom,
    address: () => ClientAddress,
  ) {
    this.#contract = contract;
    this.#outgoing = outgoing;
    this.#activity = activity;
    this.#random = random;
    this.#address = address;
  }

  /** @param token the customer's JWT; left out, the service token */
  getProfileAndPoints(uid: string, trace: string, token?: string): Promise<ClientAnswer<ProfileAndPoints>> {
    return this.#call('getProfileAndPoints', null, trace, `?uid=${encodeURIComponent(uid)}`, (client) =>
      client.POST('/getProfileAndPoints', { params: { query: { uid } }, headers: this.#headers(trace, token) }),
    ) as Promise<ClientAnswer<ProfileAndPoints>>;
  }

  creditPoints(body: Body<'creditPoints'>, trace: string): Promise<ClientAnswer> {
    return this.#call('creditPoints', body, trace, '', (client) =>
      client.POST('/creditPoints', { body, headers: this.#headers(trace) }),
    );
  }

  /** @param token the customer's JWT when a customer orders; left out, the service token */
  saveRedeemDetails(body: Body<'saveRedeemDetails'>, trace: string, token?: string): Promise<ClientAnswer> {
    return this.#call('saveRedeemDetails', body, trace, '', (client) =>
      client.POST('/saveRedeemDetails', { body, headers: this.#headers(trace, token) }),
    );
  }

  updateRedeemStatus(body: Body<'updateRedeemStatus'>, trace: string): Promise<ClientAnswer> {
    return this.#call('updateRedeemStatus', body, trace, '', (client) =>
      client.POST('/updateRedeemStatus', { body, headers: this.#headers(trace) }),
    );
  }

  #headers(trace: string, token = this.#address().client_token): Record<string, string> {
    return { Authorization: `Bearer ${token}`, traceparent: `00-${trace}-${this.#random.hex(8)}-01` };
  }

  async #call(
    operation: keyof operations,
    request: unknown,
    trace: string,
    query: string,
    send: (client: ReturnType<typeof createClientClient>) => Promise<Sent>,
  ): Promise<ClientAnswer> {
    const { client_url } = this.#address();
    const seen = { kind: 'call_out', trace, party: 'client', method: 'POST', operation, request } as const;
    const url = `${client_url}/${operation}${query}`;
    try {
      const { data, error, response } = await send(
        createClientClient({ baseUrl: client_url, ...this.#outgoing(client_url).options }),
      );
      const reply = data ?? error;
      const answer = this.#judge(operation, response.status, reply);
      const notices = answer.kind === 'no_answer' ? [answer.reason] : [];
      this.#activity.call({ ...seen, url, status: response.status, reply, notices });
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      this.#activity.call({ ...seen, url, status: null, reply: null, notices: [reason] });
      return { kind: 'no_answer', reason };
    }
  }

  #judge(operation: string, status: number, reply: unknown): ClientAnswer {
    const documented = this.#contract.operations
      .find(({ operationId }) => operationId === operation)
      ?.replies.get(status);
    if (documented?.schema === undefined)
      return { kind: 'no_answer', reason: `status ${status} is not in the contract` };
    const found = this.#contract.schemas.check(documented.schema)(reply);
    if (found !== undefined) return { kind: 'no_answer', reason: `reply ${found.where} ${found.problem}` };
    if (status < 300) return { kind: 'accepted', body: reply };
    const { message } = (reply as { data: { message: string } }).data;
    // A server that failed has not decided: only a 422 says no.
    return status === 422
      ? { kind: 'refused', message }
      : { kind: 'no_answer', reason: `status ${status}: ${message}` };
  }
}

interface Sent {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: { readonly status: number };
}
