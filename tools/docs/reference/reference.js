/**
 * Has Redoc take over the page that was drawn before: at once where a place of it was asked for, else when the reader
 * does something. Marks in the sidebar where the reader is, and what the header has of the guides works here too.
 */
const root = document.documentElement;
const place = document.getElementById('reference');
const sidebar = document.getElementById('sidebar');
const appearance = document.querySelector('.appearance');
/** What the contracts have as the sandbox's address: it becomes the one that the page came from. */
const written = 'http://localhost:4010';

/** What was drawn when the documentation was built did not know that address. */
function correct() {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes(written)) text.data = text.data.replaceAll(written, location.origin);
  }
}

/** The link of the sidebar to an operation or a tag, by an address whose last part is its name, in whichever letters. */
function linkTo(address) {
  const name = address.split('/').pop()?.toLowerCase();
  return [...sidebar.querySelectorAll('.operations a')].find(({ hash }) => hash.split('/').pop() === name);
}

async function takeOver() {
  for (const type of signs) removeEventListener(type, takeOver);
  // Links from elsewhere name an operation only. Redoc knows them too, but says "404" before it has looked.
  if (location.hash.startsWith('#operation/')) history.replaceState(null, '', linkTo(location.hash)?.hash);
  const [{ hydrate }, answer] = await Promise.all([import('./redoc.standalone.js'), fetch(place.dataset.contract)]);
  const contract = JSON.parse((await answer.text()).replaceAll(written, location.origin));
  // What was drawn is the first page; where another is asked for, Redoc draws that into an empty place.
  if (location.hash.length > 1) place.replaceChildren();
  await hydrate(contract, { disableTelemetry: true, skipBundle: true, scrollYOffset: 64 }, place);
  root.classList.remove('asked-for-place');
  // Redoc's menu is not shown, but knows where the reader is, by whichever link.
  new MutationObserver(mark).observe(place, { subtree: true, childList: true, attributeFilter: ['data-active'] });
  mark();
  if (place.dataset.console === '') return;
  const { addConsole } = await import('./console/console.js');
  await addConsole(place, place.dataset.console);
}

/** Marks the operation or the tag that is read. */
function mark() {
  const active = place.querySelector('.menu-content [data-active=true]')?.closest('a')?.getAttribute('href');
  const before = sidebar.querySelector('[aria-current=location]');
  const now = linkTo(active ?? location.hash);
  if (now === before) return;
  before?.removeAttribute('aria-current');
  now?.setAttribute('aria-current', 'location');
  showMark();
}

function showMark() {
  sidebar.querySelector('[aria-current=location]')?.scrollIntoView({ block: 'nearest' });
}

/** Has the sidebar begin at the contract that is open, since above it are all guides, or further down at what is read. */
function showPlace() {
  sidebar.scrollTop = sidebar.querySelector('[aria-current=page]').offsetTop - 120;
  showMark();
}

/** Shows light or dark, tells the guides and Redoc of the choice, and says so to who cannot see it. */
function choose(dark) {
  root.classList.toggle('dark', dark);
  root.classList.toggle('light', !dark);
  for (const key of ['vitepress-theme-appearance', 'redoc.colorMode'])
    localStorage.setItem(key, dark ? 'dark' : 'light');
  appearance.setAttribute('aria-checked', dark);
}

correct();
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin', 'scroll', 'hashchange'];
if (location.hash.length > 1) takeOver();
else for (const type of signs) addEventListener(type, takeOver, { passive: true });

showPlace();
sidebar.addEventListener('toggle', showPlace);
mark();
appearance.setAttribute('aria-checked', root.classList.contains('dark'));
appearance.addEventListener('click', () => choose(!root.classList.contains('dark')));
// Its address is none of Redoc's.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  place.focus();
});
sidebar.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null && sidebar.matches(':popover-open')) sidebar.hidePopover();
});
// The key that opens the search of the guides does so here; Redoc's own looks through one contract only.
addEventListener(
  'keydown',
  (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    location.assign(document.querySelector('.search').href);
  },
  { capture: true },
);
