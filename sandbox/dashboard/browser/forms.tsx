/** Forms, and buttons that ask once more. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { CallFailure } from './api.ts';
import { tell } from './live.ts';

/** What was typed and chosen, by the names of the fields. */
export type Fields = Readonly<Record<string, string>>;
type Outcome = { busy: boolean; message: ComponentChildren; bad: boolean };

const rested = { busy: false, message: '', bad: false } as Outcome;

/** Runs one action at a time and stores its result: the text that `run` returns, or the message of its failure. */
function useOutcome(): [Outcome, (run: () => Promise<unknown>) => Promise<void>, () => void] {
  const [outcome, setOutcome] = useState(rested);
  const attempt = async (run: () => Promise<unknown>) => {
    if (outcome.busy) return;
    setOutcome({ ...rested, busy: true });
    try {
      setOutcome({ ...rested, message: (await run()) ?? 'Done' });
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      setOutcome({ busy: false, message: failure.message, bad: true });
    }
    tell();
  };
  return [outcome, attempt, () => setOutcome(rested)];
}

/** The label of a button within a sentence. */
function lowered(label: string) {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** The second click of a double click is not meant as an answer to what the first one made the button ask. */
function once(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault();
}

/**
 * A form, and the result of sending it. Its fields are reset when `run` has succeeded. If `sure` returns a question about
 * the fields, the user confirms first.
 */
export function Form({
  title,
  label,
  what,
  run,
  sure,
  children,
}: {
  title: string;
  label: string;
  what?: string;
  run: (fields: Fields) => Promise<unknown>;
  sure?: (fields: Fields) => string | undefined;
  children?: ComponentChildren;
}) {
  const [question, setQuestion] = useState<string | undefined>(undefined);
  const [{ busy, message, bad }, attempt] = useOutcome();
  const submit = (event: { preventDefault(): void; currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    const doubt = sure?.(fields);
    if (doubt !== undefined && question === undefined) return setQuestion(doubt);
    setQuestion(undefined);
    void attempt(async () => {
      const answer = await run(fields);
      form.reset();
      return answer;
    });
  };
  return (
    <form class="form" aria-label={title} onSubmit={submit} onInput={() => setQuestion(undefined)}>
      <div class="editor">{children}</div>
      <div class="ways">
        <button class={question === undefined ? 'small main' : 'small danger'} aria-disabled={busy} onClick={once}>
          {question === undefined ? label : `Yes, ${lowered(label)}`}
          {what !== undefined && <span class="unseen"> {what}</span>}
        </button>
        <span role="status" class={bad ? 'problem' : 'quiet'}>
          {question ?? message}
        </span>
      </div>
    </form>
  );
}

/** A field of a form. What else is given becomes an attribute of the input. */
export function Field({
  name,
  label,
  unit,
  hint,
  value = '',
  grow = false,
  ...rest
}: {
  name: string;
  label: string;
  unit?: string;
  hint?: ComponentChildren;
  value?: string | number | undefined;
  grow?: boolean;
} & Record<string, unknown>) {
  const id = useId();
  return (
    <div class={grow ? 'field grow' : 'field'}>
      <label for={id}>
        {label}
        {unit !== undefined && <span class="unit"> in {unit}</span>}
      </label>
      <input
        id={id}
        name={name}
        autocomplete="off"
        defaultValue={String(value)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
      />
      {hint !== undefined && (
        <span class="quiet" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** A field of several lines, one value a line. */
export function Lines({
  name,
  label,
  values,
  hint,
}: {
  name: string;
  label: string;
  values: readonly string[];
  hint: string;
}) {
  const id = useId();
  return (
    <div class="field all">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={3}
        spellcheck={false}
        defaultValue={values.join('\n')}
        aria-describedby={`${id}-hint`}
      />
      <span class="quiet" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}

/** A choice of a form: with `change` the address stores it, otherwise the form does. */
export function Choice({
  name,
  label,
  options,
  value = '',
  change,
  grow = false,
  required = false,
}: {
  name: string;
  label: string;
  options: readonly (readonly [value: string, title: string])[];
  value?: string;
  change?: (value: string) => void;
  grow?: boolean;
  required?: boolean;
}) {
  const selection = (chosen: boolean) => ({
    defaultSelected: chosen,
    ...(change !== undefined && { selected: chosen }),
  });
  const changed = ({ currentTarget }: { currentTarget: HTMLSelectElement }) => change?.(currentTarget.value);
  return (
    <label class={grow ? 'field grow' : 'field'}>
      <span>{label}</span>
      <select name={name} onChange={changed} required={required}>
        {options.map(([each, title]) => (
          <option value={each} {...selection(each === value)}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Most options of a picker. */
const mostPicked = 500;

/** A choice among what the sandbox has. A `value` that is not among the options is added under its code. */
export function Picker({ value = '', options, ...rest }: Parameters<typeof Choice>[0]) {
  const listed = options.slice(0, mostPicked);
  const isListed = value === '' || listed.some(([each]) => each === value);
  return <Choice {...rest} value={value} options={isListed ? listed : [[value, value], ...listed]} />;
}

/** A button for an action that cannot be undone: the first press asks for confirmation, the second runs it. */
export function Twice({
  label,
  sure,
  run,
  what,
}: {
  label: string;
  sure: string;
  run: () => Promise<unknown>;
  what?: string;
}) {
  const [isConfirming, setConfirming] = useState(false);
  const [{ busy, message, bad }, attempt, forget] = useOutcome();
  const press = (event: MouseEvent) => {
    once(event);
    if (busy || event.defaultPrevented) return;
    if (!isConfirming) forget();
    else void attempt(run);
    setConfirming(!isConfirming);
  };
  return (
    <span class="action">
      <button
        type="button"
        class={isConfirming ? 'small danger sure' : 'small danger'}
        aria-disabled={busy}
        onClick={press}
      >
        {isConfirming ? `Yes, ${lowered(label)}` : label}
        {what !== undefined && <span class="unseen"> {what}</span>}
      </button>
      {isConfirming && (
        <button type="button" class="small" onClick={() => setConfirming(false)}>
          Cancel<span class="unseen"> {what}</span>
        </button>
      )}
      <span role="status" class={bad ? 'problem' : 'quiet'}>
        {isConfirming ? sure : message}
      </span>
    </span>
  );
}

/** What was caused, with the way to it in the traffic. */
export function caused(text: string, trace: string) {
  return (
    <>
      {text} <a href={`/dashboard/traffic?q=${encodeURIComponent(trace)}`}>View in Traffic</a>
    </>
  );
}

/** A field's whole number; undefined where it was left empty. */
export function number(text: string | undefined) {
  return text === undefined || text === '' ? undefined : Number(text);
}

/** The fields that were filled in. */
export function filled<T extends Record<string, unknown>>(
  fields: T,
): { [Name in keyof T]: Exclude<T[Name], undefined | ''> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given) as never;
}
