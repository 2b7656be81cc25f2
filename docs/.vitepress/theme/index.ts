import { type Theme, useRoute } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { onMounted, watch } from 'vue';
import { servedFromHere } from './addresses.ts';
import { Filter } from './filter.ts';
import { openSearchAskedFor } from './search.ts';
import './style.css';

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('Filter', Filter);
  },
  setup() {
    const route = useRoute();
    onMounted(servedFromHere);
    onMounted(openSearchAskedFor);
    watch(() => route.data.relativePath, servedFromHere, { flush: 'post' });
  },
} satisfies Theme;
