/** The basis of a flaw: the statement of the interface, or the open point, whose rule it breaks. */
import { basisOf, type Constraint, constraintsOf, isStated, ownBasis, type Part, partsOf } from '../contract/basis.ts';
import { at, follow, type Node } from '../contract/document.ts';
import { getOrCreate, once } from '../runtime/caches.ts';
import type { Flaw } from './finding.ts';
import { pathPointer, type RuledOperation } from './ruled-operation.ts';

/** Returns the basis of an operation's address: that of its path, or else that of the whole contract. */
export function basisOfAddress(operation: RuledOperation): string {
  const { bundle } = operation.contract;
  return ownBasis(at(bundle, pathPointer(operation)) as Node) ?? basisOfContract(bundle);
}

/** Returns the basis of a contract's set of paths. */
function basisOfContract(bundle: Node): string {
  const basis = (bundle.info as Node)['x-basis'];
  if (typeof basis !== 'string') throw new Error('a contract does not declare the basis of its paths');
  return basis;
}

/** Returns the basis of a method that a path does not have. It is the basis of the path's other operations, preferably a stated one. */
export function basisOfPath(bundle: Node, pointer: string): string {
  const operations = Object.values(at(bundle, pointer) as Node) as readonly Node[];
  return statedFirst(operations.flatMap((node) => (typeof node?.['x-basis'] === 'string' ? [node['x-basis']] : [])));
}

/** The basis of each rule of an operation, computed on first use. */
export class OperationBasis {
  readonly #operation: RuledOperation;
  readonly #parted = once(() => partsOf(this.#operation.contract.bundle, this.#operation.pointer));
  readonly #constraints = new Map<string, readonly Constraint[]>();

  constructor(operation: RuledOperation) {
    this.#operation = operation;
  }

  /** Returns the basis of a flaw in a request (`status` undefined) or in a reply with this status. */
  of({ code, rule, pointer }: Flaw, status: number | undefined): string {
    const [part = '', keyword = ''] = code.split('.');
    const fixed = fixedBases[code as keyof typeof fixedBases];
    if (fixed !== undefined) return fixed;
    if (part === 'credential') return this.credential;
    if (part === 'status') return this.#statuses(Number(status));
    const body = status === undefined ? this.#body() : this.#reply(status);
    if (part === 'media-type') return this.#mediaType(body, status);
    if (code === 'body.malformed' && status === undefined) return this.#mediaType(body, status);
    // A missing or unreadable body breaks the type rule of the schema.
    if (without.has(code)) return this.#constraint(body, 'type', undefined, [], true) ?? body.basis;
    if (part === 'body') return this.#constraint(body, keyword, rule, pointer.split('/').slice(2)) ?? body.basis;
    const place = follow(this.#operation.contract.bundle, rule);
    const value = this.#parted().find((part) => part.pointer === place);
    if (value === undefined) return this.whole;
    const own = this.#constraint(value, keyword, undefined, pointer.split('/').slice(3));
    return keyword === 'required' ? value.basis : (own ?? value.basis);
  }

  /** Returns the basis of a rule in a part's schemas, found by its keyword if there is no pointer. */
  #constraint(
    { schemas, basis }: Part,
    keyword: string,
    rule: string | undefined,
    place: readonly string[],
    exactly = false,
  ): string | undefined {
    const { bundle } = this.#operation.contract;
    const all = schemas.flatMap((schema) =>
      getOrCreate(this.#constraints, `${basis} ${schema}`, () => constraintsOf(bundle, schema, basis)),
    );
    const same = all.filter(
      (constraint) => constraint.keyword === keyword && (rule === undefined || constraint.rule === rule),
    );
    // The pointer of an additional field includes the field, but the rule belongs to the object that contains it.
    const around = keyword.endsWith('Properties') ? place.slice(0, -1) : place;
    return (same.find((constraint) => fits(constraint.place, around)) ?? (exactly ? undefined : same[0]))?.basis;
  }

  /**
   * Returns the basis of a media type. Requests are JSON (L4), and the media type of JSON replies is an open point. Pages define
   * their own media type.
   */
  #mediaType({ basis }: Part, status: number | undefined): string {
    const { requestRule, replyRules, contract } = this.#operation;
    const { types = [] } = (status === undefined ? requestRule : replyRules.get(status)) ?? {};
    if (!types.includes('application/json')) return basis;
    if (status !== undefined) return 'OP-108';
    return isStated(basisOfContract(contract.bundle)) ? 'stated L4' : basis;
  }

  /** The basis of the operation's credentials. */
  get credential(): string {
    const { security, contract } = this.#operation;
    const schemes = security.map((name) => follow(contract.bundle, `/components/securitySchemes/${name}`));
    return statedFirst(
      schemes.map((place) => basisOf(contract.bundle, at(contract.bundle, place) as Node, this.whole)),
    );
  }

  /**
   * Returns the basis that an undocumented status violates: the basis of the rule that excludes the status from its class, or of
   * the documented successes or errors.
   */
  #statuses(status: number): string {
    const { pointer, replies, classes, contract } = this.#operation;
    const range = `${Math.trunc(status / 100)}XX`;
    if (classes.get(range)?.has(status) === true) return this.#reply(range).basis;
    const kind = [...replies.keys()].filter((documented) => documented < 400 === status < 400);
    const places = kind.map((documented) => follow(contract.bundle, `${pointer}/responses/${documented}`));
    const bases = this.#parted().flatMap((part) => (places.includes(part.pointer) ? [part.basis] : []));
    return statedFirst(bases.length > 0 ? bases : [this.whole]);
  }

  #body(): Part {
    return this.#parted().find(({ kind }) => kind === 'body') ?? this.#unsaid();
  }

  #reply(status: number | string): Part {
    const { pointer, contract } = this.#operation;
    const place = follow(contract.bundle, `${pointer}/responses/${status}`);
    return this.#parted().find((part) => part.kind === 'reply' && part.pointer === place) ?? this.#unsaid();
  }

  /** Returns a substitute for a part that the contract does not describe. */
  #unsaid(): Part {
    return { kind: 'body', pointer: '', basis: this.whole, schemas: [] };
  }

  /** The basis of the operation as a whole. */
  get whole(): string {
    const { contract, pointer } = this.#operation;
    return basisOf(contract.bundle, at(contract.bundle, pointer) as Node, '');
  }
}

/** Flaws of a missing or unreadable body. */
const without = new Set(['body.missing', 'body.malformed', 'body.undecodable']);

/** Flaws that have the same basis in every operation. */
const fixedBases = {
  'url.malformed': 'OP-67',
  'body.too-deep': 'OP-39',
  'body.unchecked': 'OP-90',
  'body.undocumented': 'OP-109',
  'body.other-customer': 'OP-123',
} as const;

function statedFirst(bases: readonly string[]): string {
  const basis = bases.find(isStated) ?? bases[0];
  if (basis === undefined) throw new Error('a part of a contract has no basis');
  return basis;
}

/** Returns whether a rule applies to a location in a message. */
function fits(rule: readonly string[], place: readonly string[]): boolean {
  return rule.length === place.length && rule.every((step, index) => step === '*' || step === place[index]);
}
