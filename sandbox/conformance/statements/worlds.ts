/** Worlds: the sandboxes, workspaces or client servers in one capture. Each has its own customers, codes and balances. */
import { isKey } from '../../apis/registry.ts';
import type { TraceEvent } from './trace-event.ts';

/**
 * Returns the exchanges of each world, in recorded order. All addresses form one world unless an operation is called at two of
 * them. In that case, each address is a world. Two addresses are merged if one receives the record of a redemption and the other
 * its status. Two workspaces are never one world.
 */
export function worldsOf(events: readonly TraceEvent[]): readonly (readonly TraceEvent[])[] {
  const firsts = new Map<string, string>();
  const isSeveral = events.some(({ operation, base }) => {
    const first = firsts.get(operation) ?? base;
    firsts.set(operation, first);
    return first !== base;
  });
  if (!isSeveral) return [events];
  const records = Map.groupBy(
    events.filter(({ operation }) => operation === 'saveRedeemDetails'),
    ({ facts }) => facts.redeemCode,
  );
  const worlds = new Map(events.map(({ base }) => [base, base]));
  for (const { operation, base, facts } of events) {
    if (operation !== 'updateRedeemStatus') continue;
    const all = records.get(facts.redeemCode)?.map((record) => record.base) ?? [];
    const bases = all.filter((other) => !areTwoWorkspaces(base, other));
    const [one = base, other = base] = [worlds.get(base), worlds.get(bases[0] ?? base)];
    if (bases.includes(base) || one === other) continue;
    for (const [name, world] of worlds) if (world === other) worlds.set(name, one);
  }
  return [...Map.groupBy(events, ({ base }) => worlds.get(base)).values()];
}

/** Returns whether two addresses belong to two different workspaces. The address of a workspace ends with its key. */
function areTwoWorkspaces(one: string, other: string): boolean {
  return one !== other && [one, other].every((base) => isKey(base.slice(base.lastIndexOf('/') + 1)));
}
