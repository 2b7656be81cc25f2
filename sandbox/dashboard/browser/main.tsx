/** The dashboard's entry point: renders the screen that the address specifies. */
import { render, type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { adminToken, signInWith } from './api.ts';
import { Time, zone } from './figures.tsx';
import type { FormSubmission } from './forms.tsx';
import { Keyboard } from './keyboard/keyboard.tsx';
import { followActivity, useFeed } from './live.ts';
import { followLinks, type Route, useRoute } from './route.ts';

type Screen = (props: { route: Route }) => VNode;

const overview = async (): Promise<Screen> => (await import('./overview/overview.tsx')).Overview;

/** Loaders of the other screens. Each screen is loaded when it is first opened. */
const screens: Readonly<Record<string, () => Promise<Screen>>> = {
  server: async () => (await import('./server/server.tsx')).YourServer,
  simulation: async () => (await import('./simulation/simulation.tsx')).Simulation,
  traffic: async () => (await import('./traffic.tsx')).Traffic,
  redemptions: async () => (await import('./redemptions.tsx')).Redemptions,
  outbox: async () => (await import('./outbox.tsx')).Outbox,
  ledger: async () => (await import('./ledger.tsx')).Ledger,
  'open-points': async () => (await import('./open-points.tsx')).OpenPoints,
  partners: async () => (await import('./partners/partners.tsx')).Partners,
};

/** The screens loaded so far. */
const loaded = new Map<string, Screen>();

async function load(name: string) {
  try {
    loaded.set(name, await (screens[name] ?? overview)());
  } catch (error) {
    console.error(error);
    loaded.set(name, Missing);
  }
}

/** Replaces a screen whose script cannot be loaded, for example after an upgrade or while the sandbox is stopped. */
function Missing() {
  return (
    <div class="notice bad" role="alert">
      <p>
        This screen could not be loaded. Is the sandbox running?{' '}
        <a href={location.href} target="_self">
          Reload
        </a>
        .
      </p>
    </div>
  );
}

const statusTexts = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Disconnected, reconnecting',
  refused: 'Not signed in',
};

/** Reports that the sandbox does not respond, and the time of the greyed data; `undefined` if there is none. */
function Stopped({ lastHeard }: { lastHeard: Date | undefined }) {
  return (
    <div class="notice bad stopped" role="alert">
      <p>
        <strong>The sandbox is not responding.</strong>{' '}
        {lastHeard && ['This page shows data from ', <Time at={lastHeard.toISOString()} />, '.']}
        {!lastHeard && 'This page has not loaded yet.'} The page reconnects automatically when the sandbox is back.
      </p>
    </div>
  );
}

/** Asks for the admin token of a workspace (OP-68). */
function SignIn() {
  const wrong = adminToken() !== '';
  const submit = (event: FormSubmission) => {
    event.preventDefault();
    signInWith(String(new FormData(event.currentTarget).get('token')).trim());
  };
  return (
    <>
      <h1>Open a workspace</h1>
      <form class="panel narrow" onSubmit={submit}>
        <p>
          {wrong
            ? 'No workspace has this admin token: it is mistyped, or its workspace was deleted or has expired.'
            : 'This sandbox requires an admin token, even from this machine.'}
        </p>
        <p>
          Enter the token that you passed as <code>--admin-token</code> or <code>REWARDS_SANDBOX_ADMIN_TOKEN</code>. If
          you passed neither, the sandbox printed a token when it started. For a workspace that you created, enter{' '}
          <code>admin_token</code> from the response to that call.
        </p>
        <label class="field">
          <span>Admin token</span>
          <input name="token" type="password" autocomplete="off" required aria-invalid={wrong ? 'true' : undefined} />
        </label>
        <div class="ways">
          <button>Open workspace</button>
          {wrong && (
            <button type="button" class="quiet" onClick={() => signInWith('')}>
              Use the demo workspace
            </button>
          )}
        </div>
      </form>
    </>
  );
}

function App() {
  const route = useRoute();
  const { status, lastHeard } = useFeed();
  const [, draw] = useState(0);
  /** The screen that was open when the sandbox last responded. */
  const responding = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!loaded.has(route.screen)) load(route.screen).then(() => draw((count) => count + 1));
  }, [route.screen]);
  useEffect(() => {
    for (const link of document.querySelectorAll<HTMLElement>('[data-screen]')) {
      if (link.dataset.screen === route.screen) {
        link.setAttribute('aria-current', 'page');
        // On a phone, the screen links are a single scrolling row.
        link.scrollIntoView({ block: 'nearest', inline: 'center' });
        document.title = `${route.subject ?? link.textContent} · Sandbox dashboard`;
      } else link.removeAttribute('aria-current');
    }
  }, [route.screen, route.subject]);
  useEffect(() => {
    const live = document.querySelector('#live');
    if (live === null) return;
    live.textContent = `${statusTexts[status]}${adminToken() === '' ? '' : ' (admin token)'}`;
    live.className = `feed ${status}`;
    const label = document.querySelector('#zone');
    if (label !== null) label.textContent = `Times in ${zone()}`;
  }, [status]);
  if (status === 'refused') return <SignIn />;
  const Screen = loaded.get(route.screen);
  const isStopped = status === 'lost';
  // A screen opened while the sandbox does not respond has no data, even if it was open before.
  if (status === 'live') responding.current = route.screen;
  else if (responding.current !== route.screen) responding.current = undefined;
  const hasData = !isStopped || responding.current === route.screen;
  return (
    <>
      {isStopped && <Stopped lastHeard={hasData ? lastHeard : undefined} />}
      {Screen && hasData && (
        <div class={isStopped ? 'screen stale' : 'screen'} key={route.screen}>
          <Screen route={route} />
        </div>
      )}
    </>
  );
}

followLinks();
followActivity();
const place = document.querySelector('#screen') as Element;
const here = document.querySelector<HTMLElement>('[data-screen][aria-current]');
await load(here?.dataset.screen ?? 'overview');
place.replaceChildren();
render(<App />, place);
const dialogs = document.createElement('div');
document.body.append(dialogs);
render(<Keyboard />, dialogs);
