// @ts-check
import htm from 'htm';
import { h } from 'preact';

/** A template of HTML. Every value put into it becomes text, an attribute's value or a handler, never markup. */
export const html = /** @type {(strings: TemplateStringsArray, ...values: unknown[]) => import('preact').VNode} */ (
  /** @type {{ bind(make: typeof h): unknown }} */ (/** @type {unknown} */ (htm)).bind(h)
);
