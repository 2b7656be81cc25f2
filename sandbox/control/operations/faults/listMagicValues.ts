import {
  amountName,
  type MagicKind,
  type MagicRow,
  magicAmounts,
  magicCustomers,
  magicItems,
  magicUses,
} from '../../../magic/table.ts';
import type { Control, ControlCall, ControlReply } from '../../control.ts';

/** Lists the magic values (OP-75). They are the same in every workspace. */
export async function listMagicValues(
  _control: Control,
  _: ControlCall<'listMagicValues'>,
): Promise<ControlReply<'listMagicValues'>> {
  const items = [
    ...shown('item', magicItems),
    ...shown('customer', magicCustomers),
    ...shown('amount', magicAmounts, amountName),
  ];
  return { status: 200, body: { items } };
}

function shown(kind: MagicKind, rows: readonly MagicRow[], name = (value: string) => value) {
  return rows.map(({ value, does }) => ({ kind, value, name: name(value), does, use: magicUses[kind] }));
}
