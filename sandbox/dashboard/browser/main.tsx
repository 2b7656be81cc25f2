/** The dashboard: finds the screen that the address names, and draws it. */
import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { adminToken, signInWith } from './api.ts';
import { Keyboard } from './keyboard/keyboard.tsx';
import { followActivity, useFeed } from './live.ts';
import { followLinks, type Route, useRoute } from './route.ts';
import { zone } from './times.tsx';

type Screen = (props: { route: Route }) => VNode;

const overview = async (): Promise<Screen> => (await import('./overview/overview.tsx')).Overview;

/** The other screens, each loaded when it is gone to. */
const screens: Readonly<Record<string, () => Promise<Screen>>> = {
  server: async () => (await import('./server/server.tsx')).YourServer,
  simulation: async () => (await import('./simulation/simulation.tsx')).Simulation,
  traffic: async () => (await import('./traffic.tsx')).Traffic,
  redemptions: async () => (await import('./redemptions.tsx')).Redemptions,
  outbox: async () => (await import('./outbox.tsx')).Outbox,
  ledger: async () => (await import('./ledger.tsx')).Ledger,
};

/** Those that were gone to. */
const loaded = new Map<string, Screen>();

async function load(name: string) {
  try {
    loaded.set(name, await (screens[name] ?? overview)());
  } catch (error) {
    console.error(error);
    loaded.set(name, Missing);
  }
}

/** Replaces a screen whose script is missing, as after an upgrade, or while the sandbox is stopped. */
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

/** Says once that the sandbox does not respond, and from when the greyed data is. */
function Stopped({ lastHeard }: { lastHeard: Date | undefined }) {
  return (
    <div class="notice bad stopped" role="alert">
      <p>
        <strong>The sandbox is not responding.</strong>{' '}
        {lastHeard && `This page shows data from ${lastHeard.toLocaleTimeString()}. `}It reconnects automatically when
        the sandbox is back.
      </p>
    </div>
  );
}

/** Asks for the admin token of a workspace (OP-68). */
function SignIn() {
  const wrong = adminToken() !== '';
  const submit = (event: { preventDefault(): void; currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    signInWith(String(new FormData(event.currentTarget).get('token')).trim());
  };
  return (
    <>
      <h1>Open a workspace</h1>
      <form class="panel narrow" onSubmit={submit}>
        <p>
          {wrong
            ? 'No workspace has this admin token.'
            : 'From another machine, the dashboard requires an admin token.'}{' '}
          It is in the response of <code>GET /sandbox/v1/workspace</code> and of the call that created the workspace.
        </p>
        <label class="field">
          <span>Admin token</span>
          <input name="token" type="password" autocomplete="off" required aria-invalid={wrong ? 'true' : undefined} />
        </label>
        <div class="ways">
          <button>Open workspace</button>
          {wrong && (
            <button type="button" class="quiet" onClick={() => signInWith('')}>
              Clear token
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
  useEffect(() => {
    if (!loaded.has(route.screen)) load(route.screen).then(() => draw((count) => count + 1));
  }, [route.screen]);
  useEffect(() => {
    for (const link of document.querySelectorAll('[data-screen]')) {
      const here = (link as HTMLElement).dataset.screen === route.screen;
      if (here) {
        link.setAttribute('aria-current', 'page');
        // On a phone the screens are one row, of which a part is seen.
        link.scrollIntoView({ block: 'nearest', inline: 'center' });
        document.title = `${link.textContent} · Sandbox dashboard`;
      } else link.removeAttribute('aria-current');
    }
  }, [route.screen]);
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
  // A sandbox that never responded has left nothing to show.
  const hasData = !isStopped || lastHeard !== undefined;
  return (
    <>
      {isStopped && <Stopped lastHeard={lastHeard} />}
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
