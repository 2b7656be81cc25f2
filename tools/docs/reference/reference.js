/**
 * Has Redoc take over the page that was drawn before: at once where a place of it was asked for, else when the reader
 * does something. Tells the guides of a change of light or dark.
 */
const root = document.documentElement;
const place = document.getElementById('reference');

async function takeOver() {
  for (const type of signs) removeEventListener(type, takeOver);
  const [{ hydrate }, answer] = await Promise.all([import('./redoc.standalone.js'), fetch(place.dataset.contract)]);
  // The samples' addresses become those that the page came from.
  const contract = JSON.parse((await answer.text()).replaceAll('http://localhost:4010', location.origin));
  // What was drawn is the first page; where another is asked for, Redoc draws that into an empty place.
  if (location.hash.length > 1) place.replaceChildren();
  await hydrate(contract, { disableTelemetry: true, skipBundle: true, scrollYOffset: 56 }, place);
  root.classList.remove('asked-for-place');
}

const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin', 'scroll', 'hashchange'];
if (location.hash.length > 1) takeOver();
else for (const type of signs) addEventListener(type, takeOver, { passive: true });

new MutationObserver(() => {
  const mode = localStorage.getItem('redoc.colorMode');
  if (mode === 'light' || mode === 'dark') localStorage.setItem('vitepress-theme-appearance', mode);
}).observe(root, { attributeFilter: ['class'] });
