import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Renders an HTML template. Every inserted value becomes text or an attribute value, never markup. */
export const html: Template = (htm as unknown as Bindable).bind(h);

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
/** The actual shape of the package; its own types describe only its CommonJS build. */
type Bindable = { bind(make: typeof h): Template };

/** A value that a template accepts. */
export type TemplatePart = ComponentChildren;

/** Returns the HTML document of a page as text. */
export function document(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
