// @ts-check
/** Which key does what in the dashboard. */

/**
 * What a key asks for.
 * @typedef {{ kind: 'search' | 'help' | 'palette' | 'next' | 'previous' | 'close' } | { kind: 'go', screen: string } | { kind: 'prefix' }} Command
 */

/** The letter after `g`, and the screen that it opens. */
export const screenKeys = /** @type {const} */ ({
  o: 'overview',
  t: 'traffic',
  r: 'redemptions',
  m: 'outbox',
  l: 'ledger',
  s: 'simulation',
  y: 'server',
});

/** @type {Readonly<Record<string, Command>>} */
const single = {
  '/': { kind: 'search' },
  '?': { kind: 'help' },
  j: { kind: 'next' },
  k: { kind: 'previous' },
  g: { kind: 'prefix' },
};

/**
 * The keys with what they do, in the order of the help.
 * @type {readonly (readonly [readonly string[], string])[]}
 */
export const help = [
  [['Ctrl', 'K'], 'Open a screen, or search for a code'],
  [['/'], 'Search on this screen'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Esc'], 'Close the open entry or dialog'],
  [['?'], 'Show these keys'],
];

/**
 * What a key press asks for; undefined where it is not for the dashboard. A key without a modifier is text in a field,
 * and does nothing where the reader turned such keys off.
 * @param {Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>} press
 * @param {{ isTyping: boolean, hasDialog: boolean, afterPrefix: boolean, isOn: boolean }} now
 * @returns {Command | undefined}
 */
export function commandOf({ key, ctrlKey, metaKey, altKey }, { isTyping, hasDialog, afterPrefix, isOn }) {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? { kind: 'palette' } : undefined;
  // A dialog closes by itself.
  if (hasDialog || isTyping) return undefined;
  if (key === 'Escape') return { kind: 'close' };
  if (!isOn) return undefined;
  if (afterPrefix && Object.hasOwn(screenKeys, key))
    return { kind: 'go', screen: screenKeys[/** @type {keyof typeof screenKeys} */ (key)] };
  return Object.hasOwn(single, key) ? single[key] : undefined;
}

/**
 * Where the palette can go for a text: the screens whose name has it, then what could have it as a code.
 * @param {string} text
 * @param {readonly { name: string, href: string }[]} screens
 */
export function destinations(text, screens) {
  const wanted = text.trim();
  const named = screens.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  if (wanted === '') return named;
  const code = encodeURIComponent(wanted);
  return [
    ...named,
    ...(/^RDM-/i.test(wanted) ? [{ name: `Redemption ${wanted}`, href: `/dashboard/redemptions/${code}` }] : []),
    { name: `Search traffic for ${wanted}`, href: `/dashboard/traffic?q=${code}` },
    { name: `Search redemptions for ${wanted}`, href: `/dashboard/redemptions?q=${code}` },
  ];
}
