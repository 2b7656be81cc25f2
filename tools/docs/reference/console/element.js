// @ts-check
/**
 * Creates an element with attributes, listeners and contents. Strings become text nodes, never markup.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>>} [attributes] A function listens to the event of that name. `false` and `undefined` omit the attribute.
 * @param {readonly (Node | string)[]} [contents]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, contents = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...contents);
  return made;
}
