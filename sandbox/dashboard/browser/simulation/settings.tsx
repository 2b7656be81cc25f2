import { api, ask, type Schemas } from '../api.ts';
import { Choice, Field, type Fields, Form } from '../forms.tsx';
import { Panel } from '../parts.tsx';

type Values = Schemas['Settings'];
type Name = Exclude<keyof Values, 'client_url' | 'client_token'>;

/** The settings that are numbers, with what they count and how large they can be. */
const numbers = [
  ['points_per_100_inr', 'Earned per 100 INR paid', 'points', 0, 1000],
  ['processing_fee_egv', 'Voucher fee', 'points', 0, 1_000_000],
  ['processing_fee_physical', 'Product fee', 'points', 0, 1_000_000],
  ['tds_percent', 'TDS', 'percent', 0, 100],
  ['pending_timeout', 'Pending timeout', 'seconds of sandbox time', 1, 31_536_000],
  ['rate_limit', 'Hourly quota', 'calls', 1, 1_000_000],
] as const;

/** The workspace's settings; what changes is sent, and nothing else. */
export function Settings({ workspace: { settings } }: { workspace: Schemas['Workspace'] }) {
  const run = async (fields: Fields) => {
    const change = changeOf(settings, fields);
    const names = Object.keys(change);
    if (names.length === 0) return 'No changes.';
    await ask(api.PATCH('/workspace', { body: { settings: change } }));
    return `Saved: ${names.join(', ')}. Applies from the next call on.`;
  };
  return (
    <Panel title="Settings" aside={<a href="/dashboard/server">Client address</a>}>
      <Form title="Settings" label="Save settings" run={run}>
        {numbers.map(([name, label, unit, min, max]) => (
          <Field
            name={name}
            label={label}
            unit={unit}
            type="number"
            min={min}
            max={max}
            value={settings[name]}
            required
          />
        ))}
        <Field
          name="point_value_inr"
          label="Value of one point"
          unit="INR"
          inputmode="decimal"
          value={settings.point_value_inr}
          required
        />
        <Choice
          name="on_timeout"
          label="On timeout"
          value={settings.on_timeout}
          options={Object.entries({ wait: 'Client waits', reverse: 'Client reverses' })}
        />
        <Field
          name="allowlist"
          label="Allowed callers"
          rows={3}
          value={settings.allowlist.join('\n')}
          hint="Address ranges such as 10.0.0.0/8, one per line. An empty list allows all addresses."
        />
        <Field
          name="frame_ancestors"
          label="Sites that may frame the portal"
          rows={3}
          value={settings.frame_ancestors.join('\n')}
          hint="Origins such as https://client.example, one per line. An empty list allows only the sandbox's own pages."
        />
      </Form>
    </Panel>
  );
}

/** What of the fields is not as it is now. */
function changeOf(settings: Values, fields: Fields): Partial<Pick<Values, Name>> {
  const lists = ['allowlist', 'frame_ancestors'];
  const numeric = numbers.map(([name]) => name as string);
  const wanted = Object.entries(fields).map(([name, text]) => {
    if (lists.includes(name)) return [name, text.split(/\s+/).filter(Boolean)];
    return [name, numeric.includes(name) ? Number(text) : text];
  });
  const present = settings as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    wanted.filter(([name, value]) => JSON.stringify(present[String(name)]) !== JSON.stringify(value)),
  );
}
