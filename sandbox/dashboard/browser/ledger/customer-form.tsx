import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api.ts';
import { Field, type Fields, fieldsOf, useOutcome } from '../forms.tsx';
import { go, withQuery } from '../route.ts';

type Draft = Fields;

/** The editable fields of a profile, with the browser's validation attributes. */
const fields = [
  ['name'],
  ['email', { type: 'email' }],
  ['mobileNo', { inputmode: 'tel' }],
  ['dob', { placeholder: '14/08/1991' }],
  ['address1'],
  ['address2'],
  ['city'],
  ['pincode', { inputmode: 'numeric', pattern: '[1-9][0-9]{5}', title: 'six digits' }],
  ['state', { inputmode: 'numeric', pattern: '[1-9][0-9]?', title: 'a number from 1 to 99' }],
  ['cus_type'],
  ['partnerType'],
  ['pan'],
  ['panVerifiedStatus'],
  ['mdate', { placeholder: '14/08/2015' }],
] as readonly (readonly [name: string, attributes?: Record<string, string>])[];
const numeric = ['pincode', 'state'];
const points = { inputmode: 'numeric', pattern: '[0-9]{1,15}', title: 'a whole number of points' };

interface CustomerFormProps {
  uid: string | null;
  customer?: Schemas['Customer'];
  tell: (text: string) => void;
}

/** A form that creates or changes a customer. It sends only changed fields. `tell` receives the result. */
export function CustomerForm({ uid, customer, tell }: CustomerFormProps) {
  const [before] = useState(() => draftOf(uid ?? '', customer));
  const [{ busy, message, bad }, attempt] = useOutcome();
  const submit = (event: { preventDefault(): void; currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const draft = fieldsOf(event.currentTarget);
    void attempt(async () => {
      tell('');
      tell(customer === undefined ? await make(draft) : await change(customer.uid, touched(before, draft)));
      go(withQuery({ uid: customer?.uid ?? draft.uid, new: undefined, edit: undefined }));
    });
  };
  const field = (name: string, attributes: Record<string, string> = {}) => (
    <Field name={name} label={name} value={before[name]} {...attributes} />
  );
  return (
    <form class="customer-form" onSubmit={submit}>
      {customer === undefined && <p class="quiet">Only the uid is required. Empty fields receive generated values.</p>}
      <div class="editor">
        {customer === undefined && field('uid', { required: 'required', maxlength: '64' })}
        {field('balance', points)}
        {fields.map(([name, attributes]) => field(name, attributes))}
      </div>
      <p role="alert" class="problem action-result">
        {bad && message}
      </p>
      <p class="ways">
        <button class="small main" aria-disabled={busy}>
          {customer === undefined ? 'Create customer' : 'Save changes'}
        </button>
        <a href={withQuery({ new: undefined, edit: undefined })}>Cancel</a>
      </p>
    </form>
  );
}

function draftOf(uid: string, customer: Schemas['Customer'] | undefined): Draft {
  if (customer === undefined) return { uid };
  const profile = Object.entries(customer.profile).map(([name, value]) => [name, String(value)]);
  return { uid, balance: String(customer.points.balance), ...Object.fromEntries(profile) };
}

function touched(before: Draft, after: Draft): Draft {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== (before[name] ?? '').trim()));
}

async function make(draft: Draft) {
  const { uid = '', ...rest } = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ''));
  await ask(api.POST('/customers', { body: { uid, ...wish(rest) } }));
  return `${uid} was created.`;
}

async function change(uid: string, draft: Draft) {
  const names = Object.keys(draft);
  if (names.length === 0) return 'No changes.';
  await ask(api.PATCH('/customers/{uid}', { params: { path: { uid } }, body: wish(draft) }));
  return `Updated ${uid}: ${names.join(', ')}.`;
}

/** Converts the input to the control API's format. */
function wish({ balance, ...typed }: Draft): Schemas['CustomerChange'] {
  const profile = Object.entries(typed).map(([name, value]) => [name, numeric.includes(name) ? Number(value) : value]);
  return {
    ...(profile.length > 0 && { profile: Object.fromEntries(profile) }),
    ...(balance !== undefined && { points: { balance: Number(balance) } }),
  };
}
