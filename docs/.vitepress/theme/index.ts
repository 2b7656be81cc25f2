import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { Filter } from './filter.ts';
import './style.css';

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('Filter', Filter);
  },
} satisfies Theme;
