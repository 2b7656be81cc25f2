// @ts-check
/** Enhancements of pages that work without scripts. Everything here can fail, and the page still works. */

/**
 * @template {Element} T
 * @param {string} selector
 * @param {(element: T) => void} use
 */
function each(selector, use) {
  for (const element of document.querySelectorAll(selector)) use(/** @type {T} */ (element));
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Submits an order form only once. The server ensures this as well.
 * @param {HTMLButtonElement} button
 */
function once(button) {
  button.form?.addEventListener('submit', (event) => {
    if (button.getAttribute('aria-disabled') === 'true') event.preventDefault();
    button.setAttribute('aria-disabled', 'true');
  });
  // The back button may restore the page in its previous state.
  addEventListener('pageshow', () => button.removeAttribute('aria-disabled'));
}

/**
 * Updates an order as soon as its status differs from the one on the page.
 * @param {HTMLElement} result
 */
async function follow(result) {
  while (result.dataset.follow !== undefined) {
    const query = new URLSearchParams({ seen: result.dataset.follow, wait: '20' });
    try {
      const reply = await fetch(`${location.pathname}?${query}`, { credentials: 'omit', cache: 'no-store' });
      if (reply.status === 404 || reply.status === 410) return location.reload();
      if (!reply.ok) throw new Error(String(reply.status));
      const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
      const next = /** @type {HTMLElement | null} */ (page.querySelector('.result'));
      if (next === null) return location.reload();
      if (next.dataset.follow === result.dataset.follow) {
        // A sandbox that is stopping responds immediately.
        await pause(500);
        continue;
      }
      document.title = page.title;
      document.querySelector('.balance')?.replaceWith(page.querySelector('.balance') ?? '');
      result.replaceChildren(...next.childNodes);
      if (next.dataset.follow === undefined) delete result.dataset.follow;
      else result.dataset.follow = next.dataset.follow;
    } catch {
      await pause(3000);
    }
  }
}

/**
 * Disables a button and counts down until it can be used.
 * @param {HTMLButtonElement} button
 */
async function countDown(button) {
  const label = button.textContent ?? '';
  for (let left = Number(button.dataset.wait); left > 0; left -= 1) {
    button.disabled = true;
    button.textContent = `${label} in ${left} s`;
    await pause(1000);
  }
  button.disabled = false;
  button.textContent = label;
}

/**
 * Extracts the digits from pasted text, such as a whole message with a code.
 * @param {HTMLInputElement} input
 */
function takeDigits(input) {
  input.addEventListener('paste', (event) => {
    const digits = (event.clipboardData?.getData('text') ?? '').replace(/\D/g, '').slice(0, input.maxLength);
    if (digits === '') return;
    event.preventDefault();
    input.value = digits;
  });
}

// A parent page of this site already shows the ribbon. The content of any other parent is unknown.
if (window.frameElement !== null) document.documentElement.classList.add('framed');
/**
 * Marks the shelf as busy while other rewards are fetched. The style delays the skeleton.
 * @param {HTMLElement} control
 */
function loads(control) {
  const shelf = document.querySelector('.shelf');
  control.addEventListener(control instanceof HTMLFormElement ? 'submit' : 'click', (event) => {
    const elsewhere = event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey);
    if (!elsewhere) shelf?.setAttribute('aria-busy', 'true');
  });
  // The back button may restore the page in its previous state.
  addEventListener('pageshow', () => shelf?.removeAttribute('aria-busy'));
}

each('[data-loads]', loads);
each('[data-once]', once);
each('[data-follow]', follow);
each('[data-wait]', countDown);
each('[data-digits]', takeDigits);
