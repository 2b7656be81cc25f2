import type { components, operations } from '../../../generated/auth/types.ts';
import { wrappedMessage } from '../../contract/envelopes.ts';
import type { Answer } from '../../domain/failures.ts';
import { type CallRecorder, callOut } from '../../http-client/call-out.ts';
import type { Outgoing } from '../../http-client/outgoing.ts';
import { answerOf, saysNo, type ValidatingContract } from '../../http-client/reply.ts';

type Schemas = components['schemas'];

/** The client's address, how to reach it, and the credentials for it. The credentials stay here. */
export interface AuthAddress {
  readonly baseUrl: () => string;
  readonly outgoing: (url: string) => Outgoing;
  readonly basic: { readonly username: string; readonly password: string };
}

/** The microsite's calls to the client, from the server side (D1). A reply that breaks the contract is none. */
export class AuthGateway {
  readonly #contract: ValidatingContract;
  readonly #around: CallRecorder;
  readonly #address: AuthAddress;

  constructor(contract: ValidatingContract, around: CallRecorder, address: AuthAddress) {
    this.#contract = contract;
    this.#around = around;
    this.#address = address;
  }

  generateOtp(body: Schemas['OtpRequest'], trace: string): Promise<Answer<Schemas['OtpSent']>> {
    return this.#call('generateOtp', '/api/v1/auth/generate-otp', body, trace);
  }

  verifyOtp(body: Schemas['OtpVerification'], trace: string): Promise<Answer<Schemas['SignedIn']>> {
    return this.#call('verifyOtp', '/api/v1/auth/verify-otp', body, trace);
  }

  async #call<T>(operation: keyof operations, path: string, request: unknown, trace: string): Promise<Answer<T>> {
    const baseUrl = this.#address.baseUrl();
    const { basic, outgoing } = this.#address;
    const call = {
      ...({
        operation,
        party: 'client',
        trace,
        method: 'POST',
        url: `${baseUrl.replace(/\/$/, '')}${path}`,
        request,
      } as const),
      headers: { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` },
      outgoing: () => outgoing(baseUrl),
      judged: { by: 'checked', contract: this.#contract } as const,
      // A server that does not know us has not decided about the customer.
      refuses: (status: number) => saysNo(status) && status !== 401 && status !== 403,
      message: wrappedMessage,
    };
    return answerOf(await callOut<T>(this.#around, call));
  }
}
