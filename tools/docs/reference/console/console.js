// @ts-check
/** Puts the button "Send" on top of the samples of each operation, whenever Redoc draws them. */
import { panelOf } from './panel.js';

/**
 * @param {HTMLElement} place Where Redoc draws.
 * @param {string} address Where the console's data on the contract is.
 */
export async function addConsole(place, address) {
  const response = await fetch(address);
  /** @type {import('../../console-calls.ts').ConsoleCalls} */
  const { calls, ...variables } = await response.json();
  /**
   * Redoc draws an operation again when the reader comes back to it; the panel keeps what was entered.
   * @type {Map<string, HTMLElement>}
   */
  const panels = new Map();
  const add = () => {
    for (const samples of place.querySelectorAll('.panel-request-samples')) {
      const section = /** @type {HTMLElement | null} */ (samples.closest('[data-item-kind=httpItem]'));
      const id = section?.dataset.sectionId?.split('/').pop() ?? '';
      const call = calls[id];
      if (call === undefined || samples.parentElement === null) continue;
      const panel = panels.get(id) ?? panelOf(call, variables);
      panels.set(id, panel);
      if (panel.nextElementSibling !== samples) samples.before(panel);
    }
  };
  new MutationObserver(add).observe(place, { subtree: true, childList: true });
  add();
}
