/** The dashboard's keyboard shortcuts. */

/** The command of a key press. */
export type Command =
  | { kind: 'search' | 'help' | 'palette' | 'next' | 'previous' | 'close' | 'prefix' }
  | { kind: 'go'; screen: string };

/** The screens by the letter that follows `g`. */
export const screenKeys = {
  o: 'overview',
  t: 'traffic',
  r: 'redemptions',
  m: 'outbox',
  l: 'ledger',
  p: 'open-points',
  s: 'simulation',
  y: 'server',
  b: 'partners',
} as const;

const single: Readonly<Record<string, Command>> = {
  '/': { kind: 'search' },
  '?': { kind: 'help' },
  j: { kind: 'next' },
  k: { kind: 'previous' },
  g: { kind: 'prefix' },
};

/** The shortcuts with descriptions, in the order of the help. */
export const help: readonly (readonly [readonly string[], string])[] = [
  [['Ctrl', 'K'], 'Open a screen, or search for a code'],
  [['/'], 'Search on this screen'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Esc'], 'Close the open entry or dialog'],
  [['?'], 'Show these keys'],
];

/**
 * Returns the command of a key press; `undefined` if there is none. In a field, a key without a modifier is text.
 * Single-key shortcuts do nothing if the user has turned them off.
 */
export function commandOf(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  state: { isTyping: boolean; hasDialog: boolean; afterPrefix: boolean; isOn: boolean },
): Command | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? { kind: 'palette' } : undefined;
  // The browser closes a dialog on Escape.
  if (state.hasDialog || state.isTyping) return undefined;
  if (key === 'Escape') return { kind: 'close' };
  if (!state.isOn) return undefined;
  if (state.afterPrefix && Object.hasOwn(screenKeys, key))
    return { kind: 'go', screen: screenKeys[key as keyof typeof screenKeys] };
  return Object.hasOwn(single, key) ? single[key] : undefined;
}

/** Maximum number of operations that the palette suggests. */
const mostOperations = 4;

/**
 * Returns the palette's suggestions for the typed text: screens and operations by name, then items whose codes have that
 * form. Searches of every list and of the documentation follow.
 */
export function destinations(
  text: string,
  screens: readonly { name: string; href: string }[],
  operations: readonly { operation: string; api: string }[],
) {
  const wanted = text.trim();
  const lower = wanted.toLowerCase();
  const named = screens.filter(({ name }) => name.toLowerCase().includes(lower));
  if (wanted === '') return named;
  const code = encodeURIComponent(wanted);
  const described = operations.filter(({ operation }) => operation.toLowerCase().includes(lower));
  const items = [
    [/^RDM-/i, 'Redemption', '/dashboard/redemptions/'],
    [/^ORD-/i, 'Order', '/dashboard/ledger?view=orders&order='],
    [/^CUST\w/i, 'Customer', '/dashboard/ledger?uid='],
  ] as const;
  const matching = items.filter(([form]) => form.test(wanted));
  return [
    ...named,
    ...matching.map(([, kind, address]) => ({ name: `${kind} ${wanted}`, href: address + code })),
    ...described.slice(0, mostOperations).map(({ operation, api }) => ({
      name: `Operation ${operation}`,
      href: `/docs/reference/${api}#operation/${operation}`,
    })),
    { name: `Search traffic for ${wanted}`, href: `/dashboard/traffic?q=${code}` },
    { name: `Search redemptions for ${wanted}`, href: `/dashboard/redemptions?q=${code}` },
    { name: `Search orders for ${wanted}`, href: `/dashboard/ledger?view=orders&q=${code}` },
    { name: `Search customers for ${wanted}`, href: `/dashboard/ledger?q=${code}` },
    ...(operations.length > 0 ? [{ name: `Search documentation for ${wanted}`, href: `/docs/?search=${code}` }] : []),
  ];
}
