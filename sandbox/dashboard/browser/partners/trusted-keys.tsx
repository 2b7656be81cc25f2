import { api, ask, type Schemas } from '../api.ts';
import { Field, type Fields, Form, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Panel, Problem } from '../parts.tsx';

/** The keys that the operator trusts (OP-263). */
export function TrustedKeys() {
  const { data, failure } = useFresh(() => ask(api.GET('/trusted-keys')), []);
  const replace = async (change: (items: Schemas['TrustedKey'][]) => Schemas['TrustedKey'][]) => {
    const { items } = await ask(api.GET('/trusted-keys'));
    await ask(api.PUT('/trusted-keys', { body: { items: change(items) } }));
  };
  const add = async ({ name = '', public_key = '' }: Fields) => {
    await replace((items) => [...items, { name, public_key }]);
    return `${name} is trusted.`;
  };
  return (
    <Panel title="Trusted keys">
      <p class="quiet">Certificates signed with one of these keys show the key’s name instead of “self-signed”.</p>
      {failure && <Problem failure={failure} />}
      <ul class="rows">
        {(data?.items ?? []).map(({ name }) => (
          <li key={name} class="row">
            <span class="what">
              <strong>{name}</strong>
            </span>
            <Twice
              label="Remove"
              what={`key ${name}`}
              sure="Its certificates are then shown as self-signed."
              run={() => replace((items) => items.filter((item) => item.name !== name))}
            />
          </li>
        ))}
      </ul>
      <Form title="Add trusted key" label="Add key" run={add}>
        <Field name="name" label="Name" maxlength={100} required />
        <Field name="public_key" label="Public key (PEM)" rows={3} maxlength={1000} required />
      </Form>
    </Panel>
  );
}
