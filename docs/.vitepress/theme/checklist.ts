import { defineComponent, h, onMounted, ref } from 'vue';
import { askSandbox } from './published.ts';
import { siteAddress } from './versions.ts';

/** An item of `GET /sandbox/v1/checklist`. Declared here because the site configuration imports no project files. */
interface Item {
  readonly state: 'shown' | 'not_shown' | 'yours';
  readonly evidence: string;
}

interface Checklist {
  readonly ready: boolean;
  readonly shown: number;
  readonly not_shown: number;
  readonly yours: number;
  readonly items: readonly Item[];
}

const words: Readonly<Record<Item['state'], string>> = {
  shown: 'Shown',
  not_shown: 'Not shown',
  yours: 'For you to confirm',
};

/**
 * Fetches the checklist from the sandbox that serves the page. Returns `locked` if the token is missing or wrong, and
 * `undefined` if no sandbox serves the page.
 */
async function checklistHere(): Promise<Checklist | 'locked' | undefined> {
  const reply = await askSandbox(siteAddress(), '/checklist');
  if (reply?.status === 401) return 'locked';
  return reply?.ok ? ((await reply.json()) as Checklist) : undefined;
}

/** Adds the evidence below each checklist item. Both lists must be in the same order. */
function annotate(items: readonly Item[]): void {
  for (const [index, line] of document.querySelectorAll('.vp-doc li.todo').entries()) {
    const item = items[index];
    if (item === undefined) continue;
    const note = document.createElement('small');
    note.className = `evidence ${item.state}`;
    note.textContent =
      item.state === 'yours' ? words.yours : `${words[item.state]}: ${item.evidence.replaceAll(/[`*]/g, '')}`;
    line.append(note);
  }
}

/** A summary of how many checklist items the workspace shows, with the evidence below each item. Empty without a sandbox. */
export const ChecklistSummary = defineComponent({
  setup() {
    const found = ref<Checklist | 'locked'>();
    onMounted(async () => {
      const here = await checklistHere();
      found.value = here;
      if (here !== 'locked') annotate(here?.items ?? []);
    });
    return () => {
      if (found.value === undefined) return h('div');
      const enter =
        'To see it for your workspace, open the dashboard in this tab with your admin token, and come back.';
      if (found.value === 'locked') return h('p', { role: 'status' }, enter);
      const { ready, shown, not_shown: missing, yours } = found.value;
      const total = `${shown} items have evidence, ${missing} have none, and ${yours} are for you to confirm.`;
      return h('p', { role: 'status' }, [
        h('strong', ready ? 'Ready. ' : 'Not ready yet. '),
        `In this workspace ${total}`,
      ]);
    };
  },
});
