/**
 * Has Redoc take over the page that was drawn before: at once where a place of it was asked for, else when the reader
 * does something. Tells the guides of a change of light or dark.
 */
const root = document.documentElement;
const place = document.getElementById('reference');
/** What the contracts have as the sandbox's address: it becomes the one that the page came from. */
const written = 'http://localhost:4010';

/** What was drawn when the documentation was built knew neither that address nor that its search would be there at once. */
function correct() {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes(written)) text.data = text.data.replaceAll(written, location.origin);
    else if (text.data === 'Loading...') text.data = 'Search';
  }
}

async function takeOver() {
  for (const type of signs) removeEventListener(type, takeOver);
  const [{ hydrate }, answer] = await Promise.all([import('./redoc.standalone.js'), fetch(place.dataset.contract)]);
  const contract = JSON.parse((await answer.text()).replaceAll(written, location.origin));
  // What was drawn is the first page; where another is asked for, Redoc draws that into an empty place.
  if (location.hash.length > 1) place.replaceChildren();
  await hydrate(contract, { disableTelemetry: true, skipBundle: true, scrollYOffset: 64 }, place);
  root.classList.remove('asked-for-place');
}

correct();
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin', 'scroll', 'hashchange'];
if (location.hash.length > 1) takeOver();
else for (const type of signs) addEventListener(type, takeOver, { passive: true });

new MutationObserver(() => {
  const mode = localStorage.getItem('redoc.colorMode');
  if (mode === 'light' || mode === 'dark') localStorage.setItem('vitepress-theme-appearance', mode);
}).observe(root, { attributeFilter: ['class'] });
