import type { components } from '../../generated/sandbox/types.ts';

type Snapshot = components['schemas']['Snapshot'];

/** A snapshot as it is shown: what it keeps beside the books is nobody's business. */
export function snapshotShown({ id, name, at }: Snapshot): Snapshot {
  return { id, name, at };
}
