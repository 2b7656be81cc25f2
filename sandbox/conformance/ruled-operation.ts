import { at, escapePointer, follow, type Node, type Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';

/** An operation with what its contract says about the bodies of its request and replies. */
export interface RuledOperation extends Operation {
  readonly contract: Omit<LoadedContract, 'operations'>;
  /** Where it stands in the bundle. */
  readonly pointer: string;
  readonly requestRule: BodyRule;
  readonly replyRules: ReadonlyMap<number, BodyRule>;
}

/** What the contract says about a body: its media types and, where one is JSON, the schema; `where` it says so. */
export interface BodyRule {
  readonly types: readonly string[];
  readonly schema: string | undefined;
  readonly required: boolean;
  readonly where: string;
  /** The headers that are documented beside it, in lower case. */
  readonly headers: readonly string[];
}

/** Reads what the contract of an operation says about its bodies. */
export function ruled<C extends RuledOperation['contract']>(
  operation: Operation,
  contract: C,
): RuledOperation & { readonly contract: C } {
  const { bundle } = contract;
  const pointer = `/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}`;
  const replyRules = [...operation.replies].map(([status, { schema }]) => {
    const where = follow(bundle, `${pointer}/responses/${status}`);
    const headers = names(at(bundle, `${where}/headers`));
    return [status, { types: mediaTypes(bundle, where), schema, required: true, where, headers }] as const;
  });
  const where = follow(bundle, `${pointer}/requestBody`);
  const body = at(bundle, where) as Node | undefined;
  const headers = operation.parameters.filter((parameter) => parameter.in === 'header');
  return {
    ...operation,
    contract,
    pointer,
    requestRule: {
      types: mediaTypes(bundle, where),
      schema: operation.body?.schema,
      required: body?.required === true,
      where: body === undefined ? pointer : where,
      headers: ['authorization', ...headers.map(({ name }) => name.toLowerCase())],
    },
    replyRules: new Map(replyRules),
  };
}

function mediaTypes(bundle: Node, pointer: string): readonly string[] {
  return Object.keys((at(bundle, `${pointer}/content`) ?? {}) as Node);
}

function names(node: unknown): readonly string[] {
  return Object.keys((node ?? {}) as Node).map((name) => name.toLowerCase());
}
