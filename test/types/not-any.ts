/** Checks that the types generated from the contracts are not `any`, `never` or `unknown`. Nothing here runs, because tsc is the test. */
import type { AuthClient, ClientClient, RewardsClient, SandboxClient } from '../../generated/index.ts';
import type { components as RewardsComponents } from '../../generated/rewards/types.ts';
import type { ClientCall, ClientReply } from '../../sandbox/client/access.ts';
import type { ControlCall, ControlReply } from '../../sandbox/control/control.ts';
import type { RewardsCall, RewardsReply } from '../../sandbox/platform/access.ts';

type IsAny<T> = 0 extends 1 & T ? true : false;
/** `false` for `any`, `never` and `unknown`. */
type Typed<T> = IsAny<T> extends true ? false : [T] extends [never] ? false : unknown extends T ? false : true;
/** Whether two types are identical. `any` equals only itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function holds<_T extends true>(): void {}

// The checks can fail.
// @ts-expect-error any is not typed
holds<Typed<ReturnType<typeof JSON.parse>>>();
// @ts-expect-error never is not typed
holds<Typed<never>>();
// @ts-expect-error unknown is not typed
holds<Typed<unknown>>();
// @ts-expect-error any is not the same as text
holds<Same<ReturnType<typeof JSON.parse>, string>>();

type Ok<T> = Extract<T, { status: 200; body: unknown }> extends { body: infer Body } ? Body : never;
type Kind<T> = Extract<T, { kind: string }>['kind'];
type Item = Ok<RewardsReply<'listRewards'>>['items'][number];

holds<Typed<ClientCall<'creditPoints'>['body']>>();
holds<Typed<ClientCall<'getProfileAndPoints'>['query']>>();
holds<Typed<RewardsCall<'createRedemptionOrder'>['body']>>();
holds<Typed<RewardsCall<'deleteWebhook'>['path']>>();
holds<Typed<ControlCall<'updateWorkspace'>['body']>>();
holds<Typed<Ok<ClientReply<'getProfileAndPoints'>>>>();
holds<Typed<Ok<RewardsReply<'createRedemptionOrder'>>>>();
holds<Typed<Ok<ControlReply<'listActivity'>>>>();
holds<Typed<Item>>();

holds<Same<ClientCall<'creditPoints'>['body']['points'], string>>();
holds<Same<ClientCall<'updateRedeemStatus'>['body']['status'], 'Pending' | 'Delivered' | 'Rejected'>>();
// This operation has no body, so no property can be read from it.
holds<Same<ClientCall<'getProfileAndPoints'>['body'], undefined>>();
holds<Same<Ok<ClientReply<'getProfileAndPoints'>>['points']['balance'], number>>();
holds<Same<Ok<ClientReply<'saveRedeemDetails'>>, { success: true; status: 200 }>>();
holds<Same<NonNullable<RewardsCall<'listRewards'>['query']['type']>, 'egv' | 'physical'>>();
holds<Same<Item['product_type'], 'EGV' | 'PHYSICAL'>>();
holds<Same<Extract<Item, { product_type: 'EGV' }>['denomination_value'], string>>();
holds<Same<Extract<Item, { product_type: 'PHYSICAL' }>['stock_qty'], string>>();
holds<Same<RewardsComponents['schemas']['Voucher']['pin'], string | null>>();

// A handler may fail only in the documented ways.
holds<Same<'insufficient_balance' extends Kind<RewardsReply<'listRewards'>> ? true : false, false>>();
holds<Same<'insufficient_balance' extends Kind<RewardsReply<'createRedemptionOrder'>> ? true : false, true>>();
holds<Same<'invalid_cursor' extends Kind<RewardsReply<'listRewards'>> ? true : false, true>>();
holds<Same<'points_changed' extends Kind<ClientReply<'saveRedeemDetails'>> ? true : false, true>>();

type Data<T> = T extends (...args: never[]) => Promise<infer Answer> ? Answer : never;

holds<Typed<Data<RewardsClient['GET']>>>();
holds<Typed<Data<ClientClient['POST']>>>();
holds<Typed<Data<AuthClient['POST']>>>();
holds<Typed<Data<SandboxClient['PATCH']>>>();

/** Returns the data and the error from a reply of each typed client. */
export async function answers(rewards: RewardsClient, client: ClientClient, control: SandboxClient): Promise<void> {
  const page = await rewards.GET('/v1/partner/rewards');
  holds<Typed<NonNullable<typeof page.data>>>();
  holds<Typed<NonNullable<typeof page.error>>>();
  holds<Same<NonNullable<typeof page.data>['next_cursor'], string | null>>();
  const profile = await client.POST('/getProfileAndPoints', { params: { query: { uid: 'CUST0001' } } });
  holds<Typed<NonNullable<typeof profile.data>>>();
  holds<Same<NonNullable<typeof profile.error>['data']['message'], string>>();
  const ledger = await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0001' } } });
  holds<Same<NonNullable<typeof ledger.data>['balance'], number>>();
}
