/**
 * Has Redoc take over the prerendered page: immediately if the address names a place in it, else when the reader does
 * something. Marks the reader's place in the sidebar, and makes the header controls of the guides work here too.
 */
import { showAnswers } from './answers.js';
import { findVersions, goToVersion, isOfSandbox } from './published.js';

const root = document.documentElement;
const place = document.getElementById('reference');
const sidebar = document.getElementById('sidebar');
const appearance = document.querySelector('.appearance');
/** The address of the site. */
const site = new URL('../', location.href).href;
/** The sandbox's address in the contracts; replaced by the address of the sandbox that the page came from. */
const written = 'http://localhost:4010';

/** The prerendered content was built without knowing that address. */
async function correct() {
  if (!(await isOfSandbox(site))) return;
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

async function takeOver(sign) {
  // A browser also reports a pointer at rest, when the page moves below it as its font arrives.
  if (sign?.type === 'pointermove' && sign.movementX === 0 && sign.movementY === 0) return;
  for (const type of signs) removeEventListener(type, takeOver);
  // Links from elsewhere name an operation only. Redoc knows them too, but says "404" before it has looked.
  if (location.hash.startsWith('#operation/')) history.replaceState(null, '', linkTo(location.hash)?.hash);
  const [{ hydrate }, answer] = await Promise.all([import('./redoc.standalone.js'), fetch(place.dataset.contract)]);
  const text = await answer.text();
  const contract = JSON.parse((await isOfSandbox(site)) ? text.replaceAll(written, location.origin) : text);
  // The prerendered content is the first page; if the address names another place, Redoc draws that into an empty element.
  if (location.hash.length > 1) place.replaceChildren();
  await hydrate(contract, { disableTelemetry: true, skipBundle: true, scrollYOffset: 64 }, place);
  root.classList.remove('has-fragment');
  // Redoc's menu is hidden, but tracks the reader's place, whichever link led there.
  new MutationObserver(mark).observe(place, { subtree: true, childList: true, attributeFilter: ['data-active'] });
  mark();
  if (place.dataset.console === '') return;
  const { addConsole } = await import('./console/console.js');
  await addConsole(place, place.dataset.console);
}

/** Marks the operation or tag that the reader is at. */
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

/** Scrolls the sidebar to the open contract, since all guides are above it, or further down to the reader's place. */
function showPlace() {
  sidebar.scrollTop = sidebar.querySelector('[aria-current=page]').offsetTop - 120;
  showMark();
}

/** Shows light or dark, shares the choice with the guides and Redoc, and announces it to screen readers. */
function choose(dark) {
  root.classList.toggle('dark', dark);
  root.classList.toggle('light', !dark);
  for (const key of ['vitepress-theme-appearance', 'redoc.colorMode'])
    localStorage.setItem(key, dark ? 'dark' : 'light');
  appearance.setAttribute('aria-checked', dark);
}

/** Adds the menu of versions to the header where the host of the site has several. */
async function addVersions() {
  const found = await findVersions(site);
  if (found === undefined) return;
  const menu = document.createElement('select');
  menu.className = 'versions';
  menu.setAttribute('aria-label', 'Version');
  for (const { folder, text } of found.options) menu.append(new Option(text, folder, false, folder === found.current));
  menu.addEventListener('change', () => goToVersion(site, menu.value));
  appearance.before(menu);
}

correct();
addVersions();
showAnswers(site);
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin', 'scroll', 'hashchange'];
if (location.hash.length > 1) takeOver();
else for (const type of signs) addEventListener(type, takeOver, { passive: true });

showPlace();
sidebar.addEventListener('toggle', showPlace);
mark();
appearance.setAttribute('aria-checked', root.classList.contains('dark'));
appearance.addEventListener('click', () => choose(!root.classList.contains('dark')));
// Redoc does not know its address.
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
