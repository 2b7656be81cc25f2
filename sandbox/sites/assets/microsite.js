// @ts-check
/** Sandbox content on the microsite: demo customers and the code that was sent. The pages also work without this script. */

/**
 * @typedef {import('../../../generated/sandbox/types.ts').components['schemas']} Schemas
 */

/**
 * Calls the control API, which needs no token on this machine. Returns undefined if the call is refused.
 * @template T
 * @param {string} path
 * @returns {Promise<T | undefined>}
 */
async function control(path) {
  const reply = await fetch(`/sandbox/v1/${path}`, { credentials: 'omit', cache: 'no-store' });
  return reply.ok ? /** @type {T} */ (await reply.json()) : undefined;
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Creates an element with a class and text.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} name
 * @param {string} text
 * @returns {HTMLElementTagNameMap[K]}
 */
function made(tag, name, text) {
  const element = document.createElement(tag);
  if (name !== '') element.className = name;
  element.textContent = text;
  return element;
}

/**
 * Creates a button that runs an action and submits nothing.
 * @param {string} name
 * @param {string} label
 * @param {() => void} act
 */
function button(name, label, act) {
  const element = made('button', name, label);
  element.type = 'button';
  element.addEventListener('click', act);
  return element;
}

/**
 * Fills in a field and focuses the form's button.
 * @param {string} id
 * @param {string} value
 */
function fill(id, value) {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return;
  field.value = value;
  field.form?.querySelector('button')?.focus();
}

/**
 * Shows customers as cards. A click on a card fills in the customer's id.
 * @param {HTMLElement} list
 */
async function showCustomers(list) {
  /** @type {Schemas['CustomerList'] | undefined} */
  const found = await control(`customers?limit=${list.dataset.customers}`);
  list.removeAttribute('aria-busy');
  if (found === undefined) {
    list.replaceChildren(
      made('li', 'quiet', 'Demo customers are not available here: the control API did not respond.'),
    );
    return;
  }
  const whole = new Intl.NumberFormat('en-IN');
  const cards = found.items.map(({ uid, profile, points }) => {
    const card = button('customer', '', () => fill('customer_id', uid));
    const left = made('span', 'points', `${whole.format(points.balance)} ${points.balance === 1 ? 'point' : 'points'}`);
    card.append(made('strong', '', profile.name), made('span', 'quiet', uid), left);
    const item = document.createElement('li');
    item.append(card);
    return item;
  });
  list.replaceChildren(...cards);
}

/**
 * Returns the code in a message if it belongs to this visit. A message with a reference must match by reference, any
 * other by recipient and time.
 * @param {Schemas['Message']} message
 * @param {DOMStringMap} visit
 * @returns {string[]}
 */
function codeIn({ otp, reference_id, uid, mobile, at }, visit) {
  const since = at >= (visit.since ?? '') && (uid === null ? mobile.endsWith(visit.mobile ?? ' ') : uid === visit.uid);
  return otp !== undefined && (reference_id === undefined ? since : reference_id === visit.code) ? [otp] : [];
}

/**
 * Waits for this visit's code in the outbox, and always shows the newest one.
 * @param {HTMLElement} place
 */
async function showCode(place) {
  let query = 'limit=100';
  let after = 0;
  while (true) {
    try {
      /** @type {Schemas['MessageList'] | undefined} */
      const list = await control(`messages?${query}`);
      if (list === undefined) {
        place.removeAttribute('aria-busy');
        place.replaceChildren(made('p', 'quiet', 'The code is not available here: the control API did not respond.'));
        return;
      }
      const newestFirst = list.items.toSorted((one, other) => other.seq - one.seq);
      const [otp] = newestFirst.flatMap((message) => codeIn(message, place.dataset));
      if (otp !== undefined) drawCode(place, otp);
      after = Math.max(after, newestFirst[0]?.seq ?? 0);
      // A sandbox that is stopping, or has too many waiting callers, responds immediately.
      if (list.items.length === 0) await pause(500);
      query = `after=${after}&wait=20`;
    } catch {
      await pause(3000);
    }
  }
}

/**
 * @param {HTMLElement} place
 * @param {string} otp
 */
function drawCode(place, otp) {
  const ways = made('p', 'ways', '');
  ways.append(button('', 'Fill in code', () => fill('otp', otp)));
  // Browsers allow clipboard access in secure contexts only.
  if (navigator.clipboard !== undefined) {
    const copy = button('quiet', 'Copy', async () => {
      await navigator.clipboard.writeText(otp);
      copy.textContent = 'Copied';
    });
    ways.append(copy);
  }
  place.removeAttribute('aria-busy');
  place.replaceChildren(made('p', 'digits', otp), ways);
}

for (const list of document.querySelectorAll('[data-customers]')) void showCustomers(/** @type {HTMLElement} */ (list));
for (const place of document.querySelectorAll('[data-code]')) void showCode(/** @type {HTMLElement} */ (place));
