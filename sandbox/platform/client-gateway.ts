import type { operations } from '../../generated/client/types.ts';
import type { operations as V2Operations } from '../../generated/v2-client/types.ts';
import type { Operation } from '../contract/document.ts';
import { wrappedMessage } from '../contract/envelopes.ts';
import type { Answer } from '../domain/failures.ts';
import { type CallRecorder, callOut } from '../http-client/call-out.ts';
import type { Outgoing } from '../http-client/outgoing.ts';
import { answerOf, saysNo, type ValidatingContract } from '../http-client/reply.ts';

type Body<Id extends 'creditPoints' | 'saveRedeemDetails' | 'updateRedeemStatus'> =
  operations[Id]['requestBody']['content']['application/json'];
type ProfileAndPoints = operations['getProfileAndPoints']['responses'][200]['content']['application/json'];
type V2Body<Id extends 'redeemPoints' | 'reversePoints'> =
  V2Operations[Id]['requestBody']['content']['application/json'];
type CustomerPoints = V2Operations['getCustomerPoints']['responses'][200]['content']['application/json'];

/** The client's base URL, and the service token for calls without a customer token (OP-17). */
export interface ClientAddress {
  readonly client_url: string;
  readonly client_token: string;
}

/** The platform's calls to the client, always over HTTP. It validates each response against the contract before using it. */
export class ClientGateway {
  readonly #parts;

  /** @param contracts the APIs that the client hosts for the platform, in both versions */
  constructor(
    contracts: readonly ValidatingContract[],
    outgoing: (url: string) => Outgoing,
    around: CallRecorder,
    address: () => ClientAddress,
  ) {
    this.#parts = { contracts, outgoing, around, address };
  }

  /** @param token the customer's JWT; default: the service token */
  getProfileAndPoints(uid: string, trace: string, token?: string): Promise<Answer<ProfileAndPoints>> {
    const query = `?uid=${encodeURIComponent(uid)}`;
    return this.#call('getProfileAndPoints', { trace, token, query });
  }

  creditPoints(body: Body<'creditPoints'>, trace: string): Promise<Answer> {
    return this.#call('creditPoints', { body, trace });
  }

  /** @param token the customer's JWT if a customer places the order; default: the service token */
  saveRedeemDetails(body: Body<'saveRedeemDetails'>, trace: string, token?: string): Promise<Answer> {
    return this.#call('saveRedeemDetails', { body, trace, token });
  }

  updateRedeemStatus(body: Body<'updateRedeemStatus'>, trace: string): Promise<Answer> {
    return this.#call('updateRedeemStatus', { body, trace });
  }

  /** @param token the customer's JWT; default: the service token */
  getCustomerPoints(customer_id: string, trace: string, token?: string): Promise<Answer<CustomerPoints>> {
    const query = `?customer_id=${encodeURIComponent(customer_id)}`;
    return this.#call('getCustomerPoints', { trace, token, query });
  }

  /** @param token the customer's JWT if a customer places the order; default: the service token */
  redeemPoints(body: V2Body<'redeemPoints'>, trace: string, token?: string): Promise<Answer> {
    return this.#call('redeemPoints', { body, trace, token });
  }

  reversePoints(body: V2Body<'reversePoints'>, trace: string): Promise<Answer> {
    return this.#call('reversePoints', { body, trace });
  }

  async #call<T>(id: keyof operations | keyof V2Operations, { trace, token, query = '', body = null }: ClientCall) {
    const { outgoing, around, address } = this.#parts;
    const { client_url: baseUrl, client_token } = address();
    const at = baseUrl.replace(/\/$/, '');
    const { contract, operation } = this.#documented(id);
    const { method, path } = operation;
    const call = {
      ...({ operation: id, party: 'client', trace, method, url: `${at}${path}${query}`, request: body } as const),
      headers: { authorization: `Bearer ${token ?? client_token}` },
      outgoing: () => outgoing(baseUrl),
      judged: {
        by: 'strict',
        contract,
        read: readFrom.has(id),
      } as const,
      refuses: saysNo,
      message: wrappedMessage,
    };
    return answerOf(await callOut<T>(around, call));
  }

  #documented(id: string): { contract: ValidatingContract; operation: Operation } {
    for (const contract of this.#parts.contracts) {
      const operation = contract.operations.find(({ operationId }) => operationId === id);
      if (operation !== undefined) return { contract, operation };
    }
    throw new Error(`no client contract has ${id}`);
  }
}

/** Operations with response data that the caller needs. For the others, a success status is enough. */
const readFrom: ReadonlySet<string> = new Set(['getProfileAndPoints', 'getCustomerPoints']);

/** The variable parts of a call. */
interface ClientCall {
  readonly trace: string;
  /** Default: the service token. */
  readonly token?: string | undefined;
  readonly query?: string;
  readonly body?: unknown;
}
