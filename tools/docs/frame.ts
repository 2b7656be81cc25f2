/** Renders the header and sidebar of the guides for the reference, which VitePress does not render. */
import { nav, sidebar } from '../../docs/.vitepress/navigation.ts';
import { operationsAndWebhooksOf, readBundle } from './bundles.ts';

/** Header and sidebar of a contract's reference. The sidebar includes the operations and webhooks of the contract. */
export interface Frame {
  readonly links: string;
  readonly sidebar: string;
}

/** Returns the header and sidebar for the reference of a contract. */
export function frameOf(api: string): Frame {
  return { links: nav.map(headerLink).join(''), sidebar: sidebar.map((section) => sectionOf(section, api)).join('') };
}

function headerLink({ text, link }: { readonly text: string; readonly link: string }): string {
  // On every reference page, mark the "Reference" link as current.
  const here = link === '/reference/' ? ' aria-current="true"' : '';
  return `<a href="/docs${link}"${here}>${text}</a>`;
}

function sectionOf({ text, items }: (typeof sidebar)[number], api: string): string {
  const lines = items.map(({ text, link }) => {
    const here = link === `/reference/${api}`;
    const mark = here ? ' aria-current="page"' : '';
    return `<li><a href="/docs${link}"${mark}>${text}</a>${here ? operations(api) : ''}</li>`;
  });
  return `<section><h2>${text}</h2><ul>${lines.join('')}</ul></section>`;
}

/** Returns the operations and webhooks of a contract by tag, in page order. Omits the tag name if there is only one tag. */
function operations(api: string): string {
  const bundle = readBundle(api);
  const all = operationsAndWebhooksOf(bundle);
  const lines = bundle.tags.map(({ name: tag }) => {
    const list = all.filter(({ tags }) => tags[0] === tag);
    const name = bundle.tags.length > 1 ? `<a class="tag" href="#/${part(tag)}">${tag}</a>` : '';
    const links = list.map(({ operationId, summary }) => {
      const words = summary.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return `<li><a href="#/${part(tag)}/${part(operationId)}">${words}</a></li>`;
    });
    return `<li>${name}<ul>${links.join('')}</ul></li>`;
  });
  return `<ul class="operations">${lines.join('')}</ul>`;
}

/** Returns a name in the form that Redoc uses in anchors. */
function part(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
