import type { operations } from '../../generated/client/types.ts';
import { createClientClient } from '../../generated/index.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Activity } from '../runtime/activity.ts';
import { type Outgoing, reasonOf } from '../runtime/outgoing.ts';
import type { SeededRandom } from '../runtime/random.ts';
import { type ClientAnswer, type ClientReply, judge } from './client-reply.ts';

type Body<Id extends 'creditPoints' | 'saveRedeemDetails' | 'updateRedeemStatus'> =
  operations[Id]['requestBody']['content']['application/json'];
type ProfileAndPoints = operations['getProfileAndPoints']['responses'][200]['content']['application/json'];

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
    send: (client: Client) => Promise<unknown>,
  ): Promise<ClientAnswer> {
    const { client_url } = this.#address();
    const seen = { kind: 'call_out', trace, party: 'client', method: 'POST', operation, request } as const;
    const url = `${client_url}/${operation}${query}`;
    try {
      const reply = await this.#exchange(client_url, send);
      const { answer, deviations } = judge(this.#contract, operation, reply);
      const notices = answer.kind === 'no_answer' ? [answer.reason] : [];
      const { status, body } = reply;
      this.#activity.call({ ...seen, url, status, reply: body, notices, ...(deviations.length > 0 && { deviations }) });
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      this.#activity.call({ ...seen, url, status: null, reply: null, notices: [reason] });
      return { kind: 'no_answer', reason };
    }
  }

  /** Sends a call and takes its reply as it came, also one that is not JSON. Rejects when there is none. */
  async #exchange(baseUrl: string, send: (client: Client) => Promise<unknown>): Promise<ClientReply> {
    const { fetch, Request } = this.#outgoing(baseUrl).options;
    let came: Response | undefined;
    const kept = async (request: RequestInfo | URL) => {
      came = await fetch(request);
      return came.clone();
    };
    try {
      await send(createClientClient({ baseUrl, fetch: kept, Request }));
    } catch (error) {
      if (came === undefined) throw error;
    }
    if (came === undefined) throw new Error('nothing was sent');
    return replyOf(came.status, await came.text());
  }
}

type Client = ReturnType<typeof createClientClient>;

function replyOf(status: number, text: string): ClientReply {
  if (text === '') return { status, body: undefined };
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: undefined, text };
  }
}
