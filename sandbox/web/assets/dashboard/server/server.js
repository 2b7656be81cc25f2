// @ts-check
import { html } from '../html.js';
export function YourServer() {
  return html`<h1>Your server</h1>`;
}
