/**
 * Lets Redoc take over the prerendered page: immediately if the URL fragment names a section, and otherwise on the
 * reader's first interaction. Also highlights the current section in the sidebar, and runs the header controls of the
 * guides.
 */
import { showAnswers } from './answers.js';
import { findVersions, goToVersion, isOfSandbox } from './published.js';

const root = document.documentElement;
const place = document.getElementById('reference');
const sidebar = document.getElementById('sidebar');
const appearance = document.querySelector('.appearance');
/** The absolute address of the site. */
const site = new URL('../', location.href).href;
/** The sandbox address used in the contracts. The address of the serving sandbox replaces it. */
const written = 'http://localhost:4010';

/** Replaces the sandbox address in the prerendered content, which was built with the default one. */
async function correct() {
  if (!(await isOfSandbox(site))) return;
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes(written)) text.data = text.data.replaceAll(written, location.origin);
  }
}

/** Returns the sidebar link to an operation or a tag. The last segment of the address must be its name, in any case. */
function linkTo(address) {
  const name = address.split('/').pop()?.toLowerCase();
  return [...sidebar.querySelectorAll('.operations a')].find(({ hash }) => hash.split('/').pop() === name);
}

async function takeOver(sign) {
  // Browsers also fire this event for a pointer at rest if the page moves below it, for example when the font loads.
  if (sign?.type === 'pointermove' && sign.movementX === 0 && sign.movementY === 0) return;
  for (const type of signs) removeEventListener(type, takeOver);
  // External links contain only the operation. Redoc resolves them too, but briefly shows "404".
  if (location.hash.startsWith('#operation/')) history.replaceState(null, '', linkTo(location.hash)?.hash);
  const [{ hydrate }, answer] = await Promise.all([import('./redoc.standalone.js'), fetch(place.dataset.contract)]);
  const text = await answer.text();
  const contract = JSON.parse((await isOfSandbox(site)) ? text.replaceAll(written, location.origin) : text);
  // The prerendered content is the first page. For any other section, let Redoc render into an empty element.
  if (location.hash.length > 1) place.replaceChildren();
  await hydrate(contract, { disableTelemetry: true, skipBundle: true, scrollYOffset: 64 }, place);
  root.classList.remove('has-fragment');
  // Redoc's hidden menu still tracks the current section, whichever link the reader followed.
  new MutationObserver(mark).observe(place, { subtree: true, childList: true, attributeFilter: ['data-active'] });
  mark();
  if (place.dataset.console === '') return;
  const { addConsole } = await import('./console/console.js');
  await addConsole(place, place.dataset.console);
}

/** Highlights the current operation or tag in the sidebar. */
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

/** Scrolls the sidebar to the open contract, past the guides above it, or further to the current section. */
function showPlace() {
  sidebar.scrollTop = sidebar.querySelector('[aria-current=page]').offsetTop - 120;
  showMark();
}

/** Switches between light and dark, shares the choice with the guides and Redoc, and announces it to screen readers. */
function choose(dark) {
  root.classList.toggle('dark', dark);
  root.classList.toggle('light', !dark);
  for (const key of ['vitepress-theme-appearance', 'redoc.colorMode'])
    localStorage.setItem(key, dark ? 'dark' : 'light');
  appearance.setAttribute('aria-checked', dark);
}

/** Adds the version menu to the header if the host serves several versions. */
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
// Handle the skip link here, because Redoc does not recognise its anchor.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  place.focus();
});
sidebar.addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null && sidebar.matches(':popover-open')) sidebar.hidePopover();
});
// Open the search of the guides with its shortcut. Redoc's own search covers only one contract.
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
