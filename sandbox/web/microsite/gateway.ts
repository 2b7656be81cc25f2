import type { components, operations } from '../../../generated/auth/types.ts';
import { createAuthClient } from '../../../generated/index.ts';
import type { LoadedContract } from '../../contract/schemas.ts';
import type { Activity } from '../../runtime/activity.ts';
import { type Outgoing, reasonOf } from '../../runtime/outgoing.ts';
import type { SeededRandom } from '../../runtime/random.ts';

type Schemas = components['schemas'];

/** How the client answered: yes, no with its own message, or nothing that can be used. */
export type AuthAnswer<T> =
  | { readonly kind: 'accepted'; readonly body: T }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'no_answer' };

/** Where the client is, how it is reached, and what it is shown. The credentials stay here. */
export interface AuthAddress {
  readonly baseUrl: () => string;
  readonly outgoing: (url: string) => Outgoing;
  readonly basic: { readonly username: string; readonly password: string };
}

/** The microsite's calls to the client, from the server side (D1). A reply that breaks the contract is none. */
export class AuthGateway {
  readonly #contract: LoadedContract;
  readonly #activity: Activity;
  readonly #random: SeededRandom;
  readonly #address: AuthAddress;

  constructor(contract: LoadedContract, activity: Activity, random: SeededRandom, address: AuthAddress) {
    this.#contract = contract;
    this.#activity = activity;
    this.#random = random;
    this.#address = address;
  }

  generateOtp(body: Schemas['OtpRequest'], trace: string): Promise<AuthAnswer<Schemas['OtpSent']>> {
    return this.#call('generateOtp', '/api/v1/auth/generate-otp', body, trace, (client, headers) =>
      client.POST('/api/v1/auth/generate-otp', { body, headers }),
    );
  }

  verifyOtp(body: Schemas['OtpVerification'], trace: string): Promise<AuthAnswer<Schemas['SignedIn']>> {
    return this.#call('verifyOtp', '/api/v1/auth/verify-otp', body, trace, (client, headers) =>
      client.POST('/api/v1/auth/verify-otp', { body, headers }),
    );
  }

  async #call<T>(
    operation: keyof operations,
    path: string,
    request: unknown,
    trace: string,
    send: (client: ReturnType<typeof createAuthClient>, headers: Record<string, string>) => Promise<Answered<T>>,
  ): Promise<AuthAnswer<T>> {
    const baseUrl = this.#address.baseUrl();
    const { basic, outgoing } = this.#address;
    const url = `${baseUrl}${path}`;
    const seen = { kind: 'call_out', trace, party: 'client', method: 'POST', url, operation, request } as const;
    const headers = { traceparent: `00-${trace}-${this.#random.hex(8)}-01` };
    try {
      const client = createAuthClient({ baseUrl, basic, ...outgoing(baseUrl).options(operation) });
      const { data, error, response } = await send(client, headers);
      const body = data ?? error;
      const problem = this.#problem(operation, response.status, body);
      this.#activity.call({
        ...seen,
        status: response.status,
        reply: body,
        notices: problem === undefined ? [] : [problem],
      });
      if (problem !== undefined) return { kind: 'no_answer' };
      if (data !== undefined) return { kind: 'accepted', body: data };
      // A server that failed, or that does not know us, has not decided about the customer.
      if (response.status !== 422) return { kind: 'no_answer' };
      return { kind: 'refused', message: (body as { data: { message: string } }).data.message };
    } catch (error) {
      this.#activity.call({ ...seen, status: null, reply: null, notices: [reasonOf(error)] });
      return { kind: 'no_answer' };
    }
  }

  #problem(operationId: string, status: number, body: unknown): string | undefined {
    const operation = this.#contract.operations.find((known) => known.operationId === operationId);
    const schema = operation?.replies.get(status)?.schema;
    if (schema === undefined) return `status ${status} is not in the contract`;
    const found = this.#contract.schemas.check(schema)(body);
    return found && `reply ${found.where} ${found.problem}`;
  }
}

interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: { readonly status: number };
}
