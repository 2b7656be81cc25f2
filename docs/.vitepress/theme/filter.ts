import { defineComponent, h, onMounted, ref } from 'vue';

/** The parts of a page behind the field: each row of its tables, or each section, a heading with what follows it. */
type Part = readonly HTMLElement[];

function rows(): Part[] {
  return [...document.querySelectorAll<HTMLElement>('.filter ~ table tbody tr')].map((row) => [row]);
}

function sections(): Part[] {
  return [...document.querySelectorAll<HTMLElement>('.filter ~ h2[id]')].map((heading) => {
    const part = [heading];
    for (let next = heading.nextElementSibling; next !== null && next.tagName !== 'H2'; next = next.nextElementSibling)
      part.push(next as HTMLElement);
    return part;
  });
}

/** A field that leaves those rows or sections of its page that have every word of it, and says how many these are. */
export const Filter = defineComponent({
  props: { of: { type: String as () => 'rows' | 'sections', required: true }, label: { type: String, required: true } },
  setup({ of, label }) {
    // Without script the page is whole, and has no field that would do nothing.
    const [here, told] = [ref(false), ref('')];
    let parts: readonly { readonly part: Part; readonly text: string }[] = [];
    onMounted(() => {
      here.value = true;
    });
    const leave = (event: Event) => {
      if (parts.length === 0)
        parts = (of === 'rows' ? rows() : sections()).map((part) => ({
          part,
          text: part.map(({ textContent }) => textContent.toLowerCase()).join(' '),
        }));
      const words = (event.target as HTMLInputElement).value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      for (const { part, text } of parts) {
        const fits = words.every((word) => text.includes(word));
        if (fits) left += 1;
        for (const element of part) element.hidden = !fits;
      }
      told.value = words.length === 0 ? '' : `${left} of ${parts.length}`;
    };
    return () =>
      here.value &&
      h('p', { class: 'filter' }, [
        h('label', [label, h('input', { type: 'search', onInput: leave, autocomplete: 'off', spellcheck: 'false' })]),
        h('span', { role: 'status' }, told.value),
      ]);
  },
});
