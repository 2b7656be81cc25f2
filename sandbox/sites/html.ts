import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A template of HTML. Every value put into it becomes text or an attribute's value, never markup. */
export const html: Template = (htm as unknown as Bindable).bind(h);

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
/** What the package is; its own types describe its CommonJS build only. */
type Bindable = { bind(make: typeof h): Template };

/** What a template can be filled with. */
export type TemplatePart = ComponentChildren;

/** The document of a page, as text. */
export function document(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
