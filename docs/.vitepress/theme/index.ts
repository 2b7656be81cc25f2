import { type Theme, useRoute, withBase } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h, onMounted, watch } from 'vue';
import { servedFromHere } from './addresses.ts';
import { showAnswers } from './answers.ts';
import { ChecklistSummary } from './checklist.ts';
import { Filter } from './filter.ts';
import { openSearchAskedFor, ranking } from './search.ts';
import { siteAddress, Versions } from './versions.ts';
import './style.css';

/**
 * Makes relative links absolute. The header and sidebar remain when the reader opens a page in another folder, where
 * relative links would break.
 */
function fixLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#app a[href^="."]'))
    link.setAttribute('href', link.pathname + link.search + link.hash);
}

/** Renders the "Page not found" page. */
function notFound() {
  const link = (href: string, text: string) => h('li', h('a', { href: withBase(href) }, text));
  return h('main', { class: 'not-found vp-doc' }, [
    h('h1', 'Page not found'),
    h('p', 'No page has this address. Search for its words, or start here:'),
    h('ul', [
      link('/quickstart', 'Quickstart'),
      link('/what-you-build', 'Build your server'),
      link('/reference/', 'All operations'),
      link('/errors', 'Errors'),
      link('/', 'Overview of the documentation'),
    ]),
  ]);
}

export default {
  extends: theme,
  Layout: () =>
    h(theme.Layout, null, {
      'not-found': notFound,
      'nav-bar-content-after': () => h(Versions),
      'nav-screen-content-after': () => h(Versions),
    }),
  enhanceApp({ app, siteData }) {
    app.component('Filter', Filter);
    app.component('ChecklistSummary', ChecklistSummary);
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions: ranking };
  },
  setup() {
    const route = useRoute();
    onMounted(fixLinks);
    onMounted(servedFromHere);
    onMounted(openSearchAskedFor);
    onMounted(() => showAnswers(siteAddress()));
    watch(() => route.data.relativePath, servedFromHere, { flush: 'post' });
  },
} satisfies Theme;
