import type { ActivityEntry } from '../../../activity-log/activity-entry.ts';
import type { Control, ControlCall, ControlReply } from '../../control.ts';
import { sideOf } from '../../sides.ts';
import { Timeline } from '../../timeline.ts';

/**
 * Shows a redemption in both books and what led there; waits for more of it where the caller asks for that (OP-42).
 * What was seen before the call is written before the reply.
 */
export async function getRedemption(
  control: Control,
  call: ControlCall<'getRedemption'>,
): Promise<ControlReply<'getRedemption'>> {
  await control.store.flush();
  const { redeemCode } = call.path;
  const known = sides(control, redeemCode);
  if (known === undefined) return { kind: 'not_found' };
  const { uid } = known;
  const { after = 0, wait = 0 } = call.query;
  const timeline = new Timeline({ redeemCode, uid });
  const look = () => {
    const bookings = uid === null ? [] : control.customers.bookings(uid, redeemCode);
    return timeline.of(control.activity.after(0), bookings).filter(({ seq }) => seq > after);
  };
  const matches = (entry: unknown) => timeline.has(entry as ActivityEntry);
  const items = await control.waiting.first({ collection: 'activity', matches, look }, call.patience(wait));
  const { platform, client } = sides(control, redeemCode) ?? known;
  return { status: 200, body: { redeem_code: redeemCode, uid, platform, client, items: items as Mutable } };
}

/** The redemption in both books as they are now; undefined when neither knows it. */
function sides(control: Control, redeemCode: string) {
  const platform = control.books.platform(redeemCode);
  const client = control.books.client(redeemCode);
  if (platform === undefined && client === undefined) return undefined;
  const uid = platform?.uid ?? client?.uid ?? null;
  return { uid, platform: sideOf(platform), client: sideOf(client) };
}

/** The log's entries are frozen; the generated type does not say so. */
type Mutable = Extract<ControlReply<'getRedemption'>, { status: 200 }>['body']['items'];
