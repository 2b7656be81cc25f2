import { computed, defineComponent, h, onMounted, onUnmounted, ref, shallowRef, watch } from 'vue';

interface Row {
  readonly element: HTMLElement;
  readonly text: string;
  /** The operations that the row concerns. Empty if it concerns all. */
  readonly operations: readonly string[];
  readonly blocks: boolean;
}

/** Returns the rows of the tables below the filter. */
function rowsOfPage(): readonly Row[] {
  return [...document.querySelectorAll<HTMLElement>('.filter ~ table tbody tr')].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    operations: [...element.querySelectorAll('.operations code')].map(({ textContent }) => textContent),
    blocks: element.querySelector('.blocks') !== null,
  }));
}

/** Adds an expand button to each row. Only phones show it, because they have space for just the first cell of a row. */
function foldRows(rows: readonly Row[]): void {
  for (const { element } of rows) {
    const button = document.createElement('button');
    button.className = 'fold';
    button.type = 'button';
    button.setAttribute('aria-expanded', 'false');
    button.textContent = 'Details';
    button.addEventListener('click', () => unfold(element, !element.classList.contains('open')));
    element.firstElementChild?.append(' ', button);
  }
}

function unfold(row: HTMLElement, isOpen: boolean): void {
  row.classList.toggle('open', isOpen);
  row.querySelector('.fold')?.setAttribute('aria-expanded', String(isOpen));
}

/** Returns the element that the URL fragment refers to, or `null` if there is none. */
function anchorOfAddress(): HTMLElement | null {
  return document.getElementById(decodeURIComponent(location.hash.slice(1)));
}

/**
 * A field that filters the rows of its page by words. With `facets`, it also filters by operation and by "blocks going
 * live". The row in the URL fragment is highlighted, and a link to a hidden row resets the filter.
 */
export const Filter = defineComponent({
  props: { label: { type: String, required: true }, facets: { type: Boolean, default: false } },
  setup({ label, facets }) {
    const rows = shallowRef<readonly Row[]>([]);
    // Without JavaScript, the page shows all rows and no filter field.
    const isReady = ref(false);
    const [words, operation, onlyBlocking] = [ref(''), ref(''), ref(false)];
    const isActive = computed(() => words.value.trim() !== '' || operation.value !== '' || onlyBlocking.value);
    const operations = computed(() => [...new Set(rows.value.flatMap((row) => row.operations))].sort());
    const isWanted = (row: Row) =>
      words.value
        .toLowerCase()
        .split(/\s+/)
        .every((word) => row.text.includes(word)) &&
      (operation.value === '' || row.operations.length === 0 || row.operations.includes(operation.value)) &&
      (!onlyBlocking.value || row.blocks);
    const wanted = computed(() => rows.value.filter(isWanted));
    const apply = () => {
      const shown = new Set(wanted.value);
      for (const row of rows.value) row.element.hidden = !shown.has(row);
    };
    const reset = () => {
      [words.value, operation.value, onlyBlocking.value] = ['', '', false];
      apply();
    };
    const goToRow = () => {
      document.querySelector('.vp-doc tr.target-row')?.classList.remove('target-row');
      const anchor = anchorOfAddress();
      const row = anchor?.closest<HTMLElement>('.filter ~ table tbody tr');
      row?.classList.add('target-row');
      if (row !== undefined && row !== null) unfold(row, true);
      if (!row?.hidden) return;
      reset();
      // Run after VitePress, which scrolls to the top because the row was hidden.
      requestAnimationFrame(() => anchor?.scrollIntoView());
    };
    // A link to the current address fires no `hashchange` event.
    const onClick = ({ target, defaultPrevented }: MouseEvent) => {
      // VitePress only prevents the default for links that it handles. The browser handles the others.
      if (!defaultPrevented || !(target instanceof Element)) return;
      if (target.closest('a')?.href === location.href) goToRow();
    };
    watch(wanted, apply);
    onMounted(() => {
      rows.value = rowsOfPage();
      if (rows.value.some(({ element }) => element.children.length > 3)) foldRows(rows.value);
      isReady.value = true;
      goToRow();
      addEventListener('hashchange', goToRow);
      addEventListener('click', onClick);
    });
    onUnmounted(() => {
      removeEventListener('hashchange', goToRow);
      removeEventListener('click', onClick);
    });
    const search = () =>
      h('label', [
        label,
        h('input', {
          type: 'search',
          value: words.value,
          onInput: ({ target }: Event) => (words.value = (target as HTMLInputElement).value),
          autocomplete: 'off',
          spellcheck: 'false',
        }),
      ]);
    const facetFields = () => [
      h('label', { class: 'facet' }, [
        'Operation',
        h(
          'select',
          {
            value: operation.value,
            onChange: ({ target }: Event) => (operation.value = (target as HTMLSelectElement).value),
          },
          ['', ...operations.value].map((value) => h('option', { value }, value === '' ? 'All' : value)),
        ),
      ]),
      h('label', { class: 'facet' }, [
        h('input', {
          type: 'checkbox',
          checked: onlyBlocking.value,
          onChange: ({ target }: Event) => (onlyBlocking.value = (target as HTMLInputElement).checked),
        }),
        'Blocks going live',
      ]),
    ];
    const status = () =>
      h('span', { role: 'status' }, isActive.value ? `${wanted.value.length} of ${rows.value.length}` : '');
    const fields = () => [search(), ...(facets ? facetFields() : []), status()];
    return () => h('p', { class: 'filter' }, isReady.value ? fields() : []);
  },
});
