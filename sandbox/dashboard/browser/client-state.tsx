/** The client's state, as a colour and in words. */
import type { Schemas } from './api.ts';
import { When } from './times.tsx';

const states = {
  not_called: ['none', 'not called yet'],
  answers: ['good', 'answers'],
  refuses: ['warn', 'refuses'],
  silent: ['bad', 'no answer'],
} as const;

/**
 * The state of the partner's own server, from its last call; `null` while the reference client is in use. `detailed`
 * adds the time and the reason.
 */
export function ClientState({
  client,
  detailed = true,
}: {
  client: Schemas['ClientHealth'] | null;
  detailed?: boolean;
}) {
  if (client === null) return <span class="status none">reference client</span>;
  const [style, words] = states[client.state];
  const name = `your server: ${words}`;
  return (
    <span>
      <span class={`status ${style}`}>{name}</span>
      {detailed && client.since !== null && (
        <>
          {' '}
          since <When at={client.since} />
        </>
      )}
      {detailed && client.reason !== null && <span class="quiet reason"> {client.reason}</span>}
    </span>
  );
}
