/** Draws the contract, in the light or dark that the reader chose in the guides, and tells the guides of a change. */
import { init } from './redoc.standalone.js';

const guides = 'vitepress-theme-appearance';
const reference = 'redoc.colorMode';
const root = document.documentElement;

const chosen = localStorage.getItem(guides);
if (chosen === 'light' || chosen === 'dark') localStorage.setItem(reference, chosen);
else localStorage.removeItem(reference);

const place = document.getElementById('reference');
init(place.dataset.contract, { disableTelemetry: true, scrollYOffset: 56 }, place);

new MutationObserver(() => {
  const mode = localStorage.getItem(reference);
  if (mode === 'light' || mode === 'dark') localStorage.setItem(guides, mode);
}).observe(root, { attributeFilter: ['class'] });
