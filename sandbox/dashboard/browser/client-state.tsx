/** The client's state, as a colour and in words. */
import type { Schemas } from './api.ts';
import { When } from './figures.tsx';

const states = {
  not_called: ['none', 'not called yet'],
  answers: ['good', 'answers'],
  refuses: ['warn', 'refuses'],
  silent: ['bad', 'no answer'],
} as const;

/** The state of the partner's own server, from its last call; `null` while the reference client is in use. */
export function ClientState({ client }: { client: Schemas['ClientHealth'] | null }) {
  if (client === null) return <span class="status none">reference client</span>;
  const [style, words] = states[client.state];
  return (
    <span>
      <span class={`status ${style}`}>your server: {words}</span>
      {client.since !== null && [' since ', <When at={client.since} />]}
      {client.reason !== null && <span class="quiet reason"> {client.reason}</span>}
    </span>
  );
}
