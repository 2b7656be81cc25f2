import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Asset, Assets } from './assets.ts';

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

/** The properties shared by all pages of a site. */
export interface Site {
  /** The host's name in the masthead. */
  readonly name: string;
  readonly assets: Assets;
  /** The address of the site's first page, and the link text on error pages. */
  readonly start?: readonly [href: string, label: string];
  /** Origins that may frame this site's pages (OP-95). */
  readonly frameAncestors: () => readonly string[];
}

/** One page of a site. */
interface PageParts {
  readonly title: string;
  readonly main: TemplatePart;
  /** The rest of the masthead: navigation and balance. */
  readonly masthead?: TemplatePart;
  /** Whether to use the wide layout, for pages with lists. */
  readonly wide?: boolean;
  /** A style sheet in addition to the shared one. */
  readonly style?: Asset;
  /** A script in addition to the shared one, and modules that replace the shared one. */
  readonly script?: Asset;
  readonly modules?: readonly Asset[];
  /** Whether browsers send the page's origin with its forms. Needed outside a session, where any site could submit the form (OP-77). */
  readonly tellsOrigin?: boolean;
  /** Interval in seconds at which a browser without JavaScript reloads the page. */
  readonly reload?: number;
}

const mark = html`
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <path d="M9 15h14v9H9zM7.500 11h17v4h-17zM16 11v13M16 11c-5 0-5.500-4.500-2.750-4.500 2 0 2.750 2.500 2.750 4.500 0-2 .75-4.500 2.750-4.500 2.750 0 2.250 4.500-2.750 4.500z" />
  </svg>
`;

/** Renders a page as HTML: ribbon, masthead and content. */
export function page(site: Site, parts: PageParts): string {
  const { title, main, masthead, wide, reload, tellsOrigin } = parts;
  const { style, script, icon, font } = site.assets.shared;
  const [first = script, ...others] = parts.modules ?? [];
  return document(html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${tellsOrigin && html`<meta name="referrer" content="same-origin" />`}
        <title>${title} · ${site.name}</title>
        <link rel="icon" type="image/svg+xml" href=${`/assets/${icon.name}`} />
        <link rel="preload" as="font" type=${font.type} href=${`/assets/${font.name}`} crossorigin />
        <link rel="stylesheet" href=${`/assets/${style.name}`} />
        ${parts.style && html`<link rel="stylesheet" href=${`/assets/${parts.style.name}`} />`}
        ${others.map(({ name }) => html`<link rel="modulepreload" href=${`/assets/${name}`} />`)}
        <script type="module" src=${`/assets/${first.name}`} blocking=${parts.modules ? undefined : 'render'}></script>
        ${parts.script && html`<script type="module" src=${`/assets/${parts.script.name}`}></script>`}
        ${reload !== undefined && html`<noscript><meta http-equiv="refresh" content=${String(reload)} /></noscript>`}
      </head>
      <body class=${wide && 'wide'}>
        <a class="skip" href="#main">Skip to content</a>
        <aside class="ribbon" aria-label="Kind of site">
          <p><strong>SANDBOX</strong> No real points, money or vouchers</p>
        </aside>
        <header class="masthead">
          <div>
            <span class="name">${mark} ${site.name}</span>
            ${masthead}
          </div>
        </header>
        <main id="main">${main}</main>
      </body>
    </html>
  `);
}

/** Renders a notice, with optional advice and a link to continue. */
export function notice(
  heading: TemplatePart,
  text: TemplatePart,
  link?: readonly [href: string, label: string],
  {
    advice,
    attributes = { class: 'notice' },
  }: { readonly advice?: string | undefined; readonly attributes?: object } = {},
) {
  return html`
    <section ...${attributes}>
      ${heading}
      <p>${text}</p>
      ${advice && html`<p class="quiet">${advice}</p>`}
      ${link && html`<p><a class="button" href=${link[0]}>${link[1]}</a></p>`}
    </section>
  `;
}

/** Returns the headers of every page. They restrict loading and framing, and forbid caching and referrers (OP-95). */
export function pageHeaders(site: Site): Record<string, string> {
  const own = ['style-src', 'script-src', 'img-src', 'font-src', 'connect-src', 'form-action', 'frame-src'];
  const policy = [
    "default-src 'none'",
    ...own.map((what) => `${what} 'self'`),
    "base-uri 'none'",
    `frame-ancestors ${["'self'", ...site.frameAncestors()].join(' ')}`,
  ];
  return {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
  };
}
