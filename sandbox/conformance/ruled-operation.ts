import { at, escapePointer, follow, type Node, type Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import { type Described, describedHeaders, describedParameters } from './described.ts';

/** An operation with what its contract says about its request and its replies. */
export interface RuledOperation extends Omit<Operation, 'parameters'> {
  readonly contract: Omit<LoadedContract, 'operations'>;
  /** Its JSON pointer in the bundle. */
  readonly pointer: string;
  readonly parameters: readonly Described[];
  readonly requestRule: BodyRule;
  readonly replyRules: ReadonlyMap<number, ReplyRule>;
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

/** What the contract says about a reply: also about its headers. */
export interface ReplyRule extends BodyRule {
  readonly described: readonly Described[];
}

/** Reads what the contract of an operation says about its messages. */
export function ruleOperation<C extends RuledOperation['contract']>(
  operation: Operation,
  contract: C,
): RuledOperation & { readonly contract: C } {
  const { bundle } = contract;
  const pointer = `/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}`;
  const replyRules = [...operation.replies].map(([status, { schema }]) => {
    const where = follow(bundle, `${pointer}/responses/${status}`);
    const described = describedHeaders(bundle, where);
    const headers = described.map(({ name }) => name.toLowerCase());
    return [status, { types: mediaTypes(bundle, where), schema, required: true, where, headers, described }] as const;
  });
  const where = follow(bundle, `${pointer}/requestBody`);
  const body = at(bundle, where) as Node | undefined;
  const parameters = describedParameters(bundle, pointer);
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  return {
    ...operation,
    contract,
    pointer,
    parameters,
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
