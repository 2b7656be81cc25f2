/** Next steps, from a first call to a certified server. */
import type { ComponentChildren } from 'preact';
import { api, ask, type Schemas } from '../api.ts';
import { useFresh } from '../live.ts';
import { Panel, Problem } from '../parts.tsx';

interface FirstStepsProps {
  workspace: Schemas['Workspace'];
  /** Whether an order has been placed. */
  isPlaced: boolean;
  /** The partner's own server; `null` while the reference client is in use. */
  client: Schemas['ClientHealth'] | null;
}

export function FirstSteps({ workspace: { urls, settings }, isPlaced, client }: FirstStepsProps) {
  const { data, failure } = useFresh(async () => {
    const [certifications, delivered] = await Promise.all([
      ask(api.GET('/certifications')),
      ask(api.GET('/orders', { params: { query: { status: 'Delivered', limit: 1 } } })),
    ]);
    return {
      isCertified: certifications.items.some(({ outcome }) => outcome === 'passed'),
      isDelivered: delivered.items.length > 0,
    };
  }, []);
  if (failure !== undefined) return <Problem failure={failure} />;
  const { isCertified = false, isDelivered = false } = data ?? {};
  const isConnected = client?.answered === true;
  const all = [isPlaced, isDelivered, isConnected, isCertified];
  const done = all.filter(Boolean).length;
  return (
    <Panel title={done === all.length ? 'All done' : 'Next steps'} status={`${done} of ${all.length} done`}>
      <ol class="first-steps">
        <Step title="Place an order" is={isPlaced}>
          Use the <a href={urls.microsite}>microsite</a> as a customer, or call the API: see the{' '}
          <a href="/docs/quickstart">quickstart</a>.
        </Step>
        <Step title="See a voucher delivered" is={isDelivered}>
          The vendor responds after two seconds of sandbox time. If the clock is frozen,{' '}
          <a href="/dashboard/simulation?view=clock">advance it</a>.
        </Step>
        <Step title="Connect your own server" is={isConnected}>
          {client ? (
            <>
              <code>{settings.client_url}</code> has not answered a call with 2xx yet. See{' '}
              <a href="/dashboard/server">Your server</a>.
            </>
          ) : (
            <>
              Enter its address and service token under <a href="/dashboard/server">Your server</a>. See{' '}
              <a href="/docs/what-you-build">what to build</a>.
            </>
          )}
        </Step>
        <Step title="Certify your server" is={isCertified}>
          <a href="/dashboard/server?view=certification">Certification</a> calls your server as the platform does and
          checks each requirement.
        </Step>
      </ol>
    </Panel>
  );
}

/** A step, with instructions until it is done. */
function Step({ title, is, children }: { title: string; is: boolean; children: ComponentChildren }) {
  return (
    <li class={is ? 'done' : ''}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8.5" />
        <path d="M6 10.5l2.7 2.7L14 7.5" />
      </svg>
      <strong>
        {title}
        {is && <span class="unseen"> (done)</span>}
      </strong>
      {!is && <p class="quiet">{children}</p>}
    </li>
  );
}
