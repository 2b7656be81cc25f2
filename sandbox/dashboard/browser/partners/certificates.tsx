import { api, ask } from '../api.ts';
import { Field, type Fields, Form } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Panel, Problem } from '../parts.tsx';
import { Certified } from './partners.tsx';

/** A form to add a certificate issued elsewhere, with the list of added certificates (OP-262). */
export function Certificates() {
  const { data, failure } = useFresh(() => ask(api.GET('/certificates')), []);
  const run = async ({ certificate = '' }: Fields) => {
    const { id } = await ask(api.POST('/certificates', { body: { certificate } }));
    return `${id} is valid and was added.`;
  };
  return (
    <Panel title="Hand in a certificate">
      <p class="quiet">
        Paste a certificate that <code>certify --certificate</code> wrote elsewhere. The sandbox verifies it first.
      </p>
      {failure && <Problem failure={failure} />}
      <Form title="Hand in a certificate" label="Hand in certificate" run={run}>
        <Field name="certificate" label="Content of the file" rows={3} maxlength={49_152} required />
      </Form>
      <ul class="rows">
        {(data?.items ?? []).map((certification) => (
          <li key={certification.id} class="row">
            <span class="what">
              <strong>{certification.id}</strong>
              <span class="quiet">{certification.client_url}</span>
            </span>
            <Certified certification={certification} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
