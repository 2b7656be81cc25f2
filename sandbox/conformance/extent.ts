import { depthLimit } from '../contract/request.ts';

/** Most values of a body that is looked into, and most items of one list: each of them can have findings. */
const mostValues = 30_000;
const longestList = 2000;

/** Why a body is not looked into, as far as its extent goes. */
export type Excess = { readonly kind: 'deep' } | { readonly kind: 'large'; readonly why: string };

/**
 * Measures a value that came from somebody else, level by level: whatever walks it afterwards goes deep into it, and
 * nothing that the contracts know is nested deeper than a request may be (OP-39). Undefined for one that can be walked.
 */
export function excessOf(value: unknown): Excess | undefined {
  let values = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const container of level) {
      if (typeof container !== 'object' || container === null) continue;
      if (depth > depthLimit) return { kind: 'deep' };
      const children = Object.values(container);
      values += children.length;
      if (Array.isArray(container) && children.length > longestList) return large(`a list of more than ${longestList}`);
      if (values > mostValues) return large(`more than ${mostValues} values`);
      below.push(...children);
    }
    level = below;
  }
  return undefined;
}

function large(what: string): Excess {
  return { kind: 'large', why: `it has ${what}` };
}
