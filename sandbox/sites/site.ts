import type { Asset, Assets } from './assets.ts';
import { document, html, type TemplatePart } from './html.ts';

/** What all pages of a site share. */
export interface Site {
  /** Who hosts it, for the masthead. */
  readonly name: string;
  readonly assets: Assets;
  /** The site's first page, if it has one, and the text of the link to it on error pages. */
  readonly start?: readonly [href: string, label: string];
  /** Origins whose pages may frame this one (OP-95). */
  readonly frameAncestors: () => readonly string[];
}

/** One page of a site. */
interface PageParts {
  readonly title: string;
  readonly main: TemplatePart;
  /** The masthead after the name: navigation and balance. */
  readonly masthead?: TemplatePart;
  /** For a page of lists. */
  readonly wide?: boolean;
  /** A style of its own, on top of what all pages have, and a script of several modules in place of theirs. */
  readonly style?: Asset;
  /** A script of its own, in addition to that of all pages. */
  readonly script?: Asset;
  readonly modules?: readonly Asset[];
  /**
   * Whether its forms say which site they are of: for a page outside a session, whose forms anybody could send (OP-77).
   */
  readonly tellsOrigin?: boolean;
  /** Seconds after which a browser without script loads the page again. */
  readonly reload?: number;
}

const mark = html`
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <path d="M9 15h14v9H9zM7.500 11h17v4h-17zM16 11v13M16 11c-5 0-5.500-4.500-2.750-4.500 2 0 2.750 2.500 2.750 4.500 0-2 .75-4.500 2.750-4.500 2.750 0 2.250 4.500-2.750 4.500z" />
  </svg>
`;

/** The page as text: ribbon, masthead, contents. */
export function page(site: Site, parts: PageParts): string {
  const { title, main, masthead, wide, reload, tellsOrigin } = parts;
  const { style, script, icon, font } = site.assets;
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

/**
 * Headers of every page: what it may load, who may frame it, and that no cache stores it and no referrer reveals it (OP-95).
 */
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
