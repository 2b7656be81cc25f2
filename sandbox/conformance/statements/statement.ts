/** How a statement of the interface is checked in traffic. */
export interface Statement {
  readonly id: string;
  /**
   * What of the contracts states it, as places in messages: `listRewards > /query/type` is a parameter of a request,
   * `listRewards < 200 /body/items` a value of a reply, `listRewards <` any reply. An exchange that has such a place
   * exercises the statement.
   */
  readonly contract?: readonly string[];
  /** Ids of exchange rules and trace rules. */
  readonly rules?: readonly string[];
  /** Why traffic does not show it, where neither a contract nor a rule does. */
  readonly notVisible?: string;
}

/** A statement that the contracts hold exchanges against. */
export function byContract(id: string, ...contract: readonly string[]): Statement {
  return { id, contract };
}

/** A statement that rules judge. */
export function byRules(id: string, ...rules: readonly string[]): Statement {
  return { id, rules };
}

export function byBoth(id: string, contract: readonly string[], rules: readonly string[]): Statement {
  return { id, contract, rules };
}

export function notVisible(id: string, reason: string): Statement {
  return { id, notVisible: reason };
}
