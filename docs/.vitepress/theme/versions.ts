import { withBase } from 'vitepress';
import { defineComponent, h, onMounted, shallowRef } from 'vue';
import { findVersions, goToVersion, type VersionMenu } from './published.ts';

/** Returns the absolute address of the site. */
export function siteAddress(): string {
  return new URL(withBase('/'), location.href).href;
}

/** The version menu in the header. Empty in a sandbox, which serves only one version. */
export const Versions = defineComponent({
  setup() {
    const menu = shallowRef<VersionMenu>();
    onMounted(async () => {
      menu.value = await findVersions(siteAddress());
    });
    const choose = ({ target }: Event) => goToVersion(siteAddress(), (target as HTMLSelectElement).value);
    return () => {
      if (menu.value === undefined) return undefined;
      const { options, current } = menu.value;
      return h(
        'select',
        { class: 'versions', 'aria-label': 'Version', value: current, onChange: choose },
        options.map(({ folder, text }) => h('option', { value: folder }, text)),
      );
    };
  },
});
