/** Next steps, from a first call to a certified server. */
import type { VNode } from 'preact';
import { api, ask, type Schemas } from '../api.ts';
import { useFresh } from '../live.ts';
import { Panel, Problem } from '../parts.tsx';

type FirstStep = { title: string; is: boolean; text: VNode };

interface FirstStepsProps {
  workspace: Schemas['Workspace'];
  /** Whether an order has been placed. */
  isPlaced: boolean;
  /** The partner's own server; `null` while the reference client is in use. */
  client: Schemas['ClientHealth'] | null;
}

export function FirstSteps({ workspace, isPlaced, client }: FirstStepsProps) {
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
  const steps = stepsOf(workspace, { isPlaced, client, isCertified: false, isDelivered: false, ...data });
  const done = steps.filter(({ is }) => is).length;
  return (
    <Panel title={done === steps.length ? 'All done' : 'Next steps'} status={`${done} of ${steps.length} done`}>
      <ol class="first-steps">
        {steps.map(({ title, is, text }) => (
          <li class={is ? 'done' : ''}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="8.5" />
              <path d="M6 10.5l2.7 2.7L14 7.5" />
            </svg>
            <strong>
              {title}
              {is && <span class="unseen"> (done)</span>}
            </strong>
            {!is && <p class="quiet">{text}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function stepsOf(
  { urls, settings }: Schemas['Workspace'],
  done: Pick<FirstStepsProps, 'isPlaced' | 'client'> & { isDelivered: boolean; isCertified: boolean },
): readonly FirstStep[] {
  return [
    {
      title: 'Place an order',
      is: done.isPlaced,
      text: (
        <>
          Use the <a href={urls.microsite}>microsite</a> as a customer, or call the API: see the{' '}
          <a href="/docs/quickstart">quickstart</a>.
        </>
      ),
    },
    {
      title: 'See a voucher delivered',
      is: done.isDelivered,
      text: (
        <>
          The vendor responds after two seconds of sandbox time. If the clock is frozen,{' '}
          <a href="/dashboard/simulation?view=clock">advance it</a>.
        </>
      ),
    },
    {
      title: 'Connect your own server',
      is: done.client?.answered === true,
      text: done.client ? (
        <>
          <code>{settings.client_url}</code> has not answered a call with 2xx yet. See{' '}
          <a href="/dashboard/server">Your server</a>.
        </>
      ) : (
        <>
          Enter its address and service token under <a href="/dashboard/server">Your server</a>. See{' '}
          <a href="/docs/what-you-build">what to build</a>.
        </>
      ),
    },
    {
      title: 'Certify your server',
      is: done.isCertified,
      text: (
        <>
          <a href="/dashboard/server?view=certification">Certification</a> calls your server as the platform does and
          checks each requirement.
        </>
      ),
    },
  ];
}
