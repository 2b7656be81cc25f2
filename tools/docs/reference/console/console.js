// @ts-check
/** Adds the "Send" button above the samples of each operation, whenever Redoc renders them. */
import { panelOf } from './panel.js';

/**
 * Adds the console to the reference of one contract.
 * @param {HTMLElement} place Root element of Redoc.
 * @param {string} address Address of the console's data on the contract.
 */
export async function addConsole(place, address) {
  const response = await fetch(address);
  /** @type {import('../../console-calls.ts').ConsoleCalls} */
  const { calls, ...variables } = await response.json();
  /**
   * Panels by operation. Redoc renders an operation again when the reader returns to it, but the panel preserves the
   * input.
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
