import { type Theme, useRoute } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { onMounted, watch } from 'vue';
import { servedFromHere } from './addresses.ts';
import { Filter } from './filter.ts';
import { openSearchAskedFor, ranking } from './search.ts';
import './style.css';

export default {
  extends: theme,
  enhanceApp({ app, siteData }) {
    app.component('Filter', Filter);
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions: ranking };
  },
  setup() {
    const route = useRoute();
    onMounted(servedFromHere);
    onMounted(openSearchAskedFor);
    watch(() => route.data.relativePath, servedFromHere, { flush: 'post' });
  },
} satisfies Theme;
