import {
  amountName,
  type MagicKind,
  type MagicRow,
  magicAmounts,
  magicCustomers,
  magicItems,
  magicUses,
} from '../../magic/table.ts';
import { type Control, type ControlCall, type ControlReply, deletionReply, pageAfter, usualLimit } from '../control.ts';

/** Creates a fault that makes calls of an operation fail (OP-70). */
export async function createFault(
  control: Control,
  call: ControlCall<'createFault'>,
): Promise<ControlReply<'createFault'>> {
  const fault = await control.faults.create(call.body, call.trace);
  return 'kind' in fault ? fault : { status: 201, body: fault };
}

/** Deletes a fault (OP-70). */
export async function deleteFault(
  control: Control,
  { path: { id }, trace }: ControlCall<'deleteFault'>,
): Promise<ControlReply<'deleteFault'>> {
  return deletionReply(await control.faults.delete(id, trace), `Fault ${id}`);
}

/** Deletes all faults (OP-70). */
export async function deleteFaults(
  control: Control,
  call: ControlCall<'deleteFaults'>,
): Promise<ControlReply<'deleteFaults'>> {
  await control.faults.deleteAll(call.trace);
  return { status: 204 };
}

/** Lists the remaining faults (OP-70). */
export async function listFaults(
  control: Control,
  call: ControlCall<'listFaults'>,
): Promise<ControlReply<'listFaults'>> {
  const { after, limit = usualLimit } = call.query;
  const all = control.faults.list();
  const found = all.slice(all.findIndex(({ id }) => id === after) + 1);
  return { status: 200, body: await pageAfter(found, limit, ({ id }) => id) };
}

/** Lists the magic values (OP-75). They are the same in every workspace. */
export async function listMagicValues(): Promise<ControlReply<'listMagicValues'>> {
  const items = [
    ...magicValues('item', magicItems),
    ...magicValues('customer', magicCustomers),
    ...magicValues('amount', magicAmounts, amountName),
  ];
  return { status: 200, body: { items } };
}

function magicValues(kind: MagicKind, rows: readonly MagicRow[], name = (value: string) => value) {
  return rows.map(({ value, does }) => ({ kind, value, name: name(value), does, use: magicUses[kind] }));
}
