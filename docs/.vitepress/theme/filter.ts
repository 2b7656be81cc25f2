import { defineComponent, h, onMounted, onUnmounted, ref } from 'vue';

/** The rows of the tables behind the field, each with the words in it. */
function rowsOfPage(): readonly { readonly row: HTMLElement; readonly text: string }[] {
  return [...document.querySelectorAll<HTMLElement>('.filter ~ table tbody tr')].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
  }));
}

/** The place that the address names, if it names one. */
function placeAskedFor(): HTMLElement | null {
  return document.getElementById(decodeURIComponent(location.hash.slice(1)));
}

/**
 * A field that leaves those rows of its page that have every word of it, and says how many these are. A row that the
 * address names is marked, and never one of those that are left out when it is gone to.
 */
export const Filter = defineComponent({
  props: { label: { type: String, required: true } },
  setup({ label }) {
    // Without script the page is whole, and has an empty place instead of a field that would do nothing.
    const [here, words, told] = [ref(false), ref(''), ref('')];
    let rows: ReturnType<typeof rowsOfPage> = [];
    const leave = (text: string) => {
      if (rows.length === 0) rows = rowsOfPage();
      words.value = text;
      const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const { row, text } of rows) {
        row.hidden = !wanted.every((word) => text.includes(word));
        if (!row.hidden) left += 1;
      }
      told.value = wanted.length === 0 ? '' : `${left} of ${rows.length}`;
    };
    const goToRow = () => {
      document.querySelector('.vp-doc tr.asked-for')?.classList.remove('asked-for');
      const place = placeAskedFor();
      const row = place?.closest<HTMLElement>('.filter ~ table tbody tr');
      row?.classList.add('asked-for');
      if (!row?.hidden) return;
      leave('');
      // After VitePress, which took the place of a hidden row for the top of the page.
      requestAnimationFrame(() => place?.scrollIntoView());
    };
    // No other event tells of a link to the row that the address names already.
    const onClick = ({ target, defaultPrevented }: MouseEvent) => {
      // VitePress leaves to the browser what opens elsewhere.
      if (!defaultPrevented || !(target instanceof Element)) return;
      if (target.closest('a')?.href === location.href) goToRow();
    };
    onMounted(() => {
      here.value = true;
      goToRow();
      addEventListener('hashchange', goToRow);
      addEventListener('click', onClick);
    });
    onUnmounted(() => {
      removeEventListener('hashchange', goToRow);
      removeEventListener('click', onClick);
    });
    const onInput = ({ target }: Event) => leave((target as HTMLInputElement).value);
    const field = () => [
      h('label', [
        label,
        h('input', { type: 'search', value: words.value, onInput, autocomplete: 'off', spellcheck: 'false' }),
      ]),
      h('span', { role: 'status' }, told.value),
    ];
    return () => h('p', { class: 'filter' }, here.value ? field() : []);
  },
});
