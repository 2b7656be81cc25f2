import { type Schemas, signInWith } from '../api.ts';
import { named } from '../credentials.ts';
import { Fact } from '../figures.tsx';
import { Copy, Panel } from '../parts.tsx';

/** A new workspace: its credentials, and a button that opens its dashboard. */
export function NewWorkspace({
  workspace: { id, admin_token, urls, credentials },
}: {
  workspace: Schemas['Workspace'];
}) {
  const addresses = [
    ['Platform API', urls.rewards],
    ['General API', urls.general],
    ['Portal', urls.portal],
    ['Microsite', urls.microsite],
  ];
  const rows = [['Admin token', admin_token], ...named(credentials), ...addresses];
  return (
    <Panel title={`Workspace ${id}`}>
      <p class="quiet">
        Save the admin token: only this page and <code>GET /sandbox/v1/workspace</code> of the workspace show it. Call
        the platform at these addresses: they identify the workspace, even with tokens that your own server issued.
      </p>
      <dl class="facts">
        {rows.map(([name = '', value = '']) => (
          <Fact title={name}>
            <code>{value}</code> <Copy text={value} what={`${name} of ${id}`} />
          </Fact>
        ))}
      </dl>
      <p class="ways">
        <button type="button" class="small main" onClick={() => signInWith(admin_token)}>
          Open dashboard<span class="unseen"> of {id} in this tab</span>
        </button>
      </p>
    </Panel>
  );
}
