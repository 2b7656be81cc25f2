/** Forms, and buttons that ask for confirmation. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { api, ask, CallFailure } from './api.ts';
import { tell } from './live.ts';
import { type Options, Panel } from './parts.tsx';

/** The values of a form by field name. */
export type Fields = Readonly<Record<string, string>>;
/** The submission of a form. */
export type FormSubmission = { preventDefault(): void; currentTarget: HTMLFormElement };
type Outcome = { busy: boolean; message: ComponentChildren; bad: boolean };

const rested = { busy: false, message: '', bad: false } as Outcome;

/**
 * Runs one action at a time and stores its result: the text that `run` returns, or the failure message. The screens
 * reload their data afterwards.
 */
export function useOutcome(): [Outcome, (run: () => Promise<unknown>) => Promise<void>, () => void] {
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

/**
 * Returns the last action's result, and a function that `run` calls last. The function shows the result here instead of
 * next to the button, which the action often removes.
 */
export function useResult(): [string, (text: string) => string] {
  const [result, setResult] = useState('');
  const tell = (text: string) => {
    setResult(text);
    return '';
  };
  return [result, tell];
}

/** Returns the label of a button that confirms an action. */
function confirming(label: string) {
  return `Yes, ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** Ignores the second click of a double click, which is not meant as a confirmation. */
function once(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault();
}

/** Returns a label with additional context for screen readers. */
function labelled(label: string, what: string | undefined) {
  return [label, what !== undefined && <span class="unseen"> {what}</span>];
}

/** The result of an action or, before the action, the question that asks for confirmation. */
function Result({ outcome: { message, bad }, question }: { outcome: Outcome; question?: string | undefined }) {
  return (
    <span role="status" class={bad ? 'problem' : 'quiet'}>
      {question ?? message}
    </span>
  );
}

interface FormProps {
  title: string;
  label: string;
  what?: string;
  run: (fields: Fields) => Promise<unknown>;
  sure?: (fields: Fields) => string | undefined;
  children?: ComponentChildren;
}

/** Returns the current values of a form's fields. */
export function fieldsOf(form: HTMLFormElement): Fields {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

/**
 * A form with its result. The fields are reset once `run` succeeds. If `sure` returns a question about the fields, the
 * user must confirm first.
 */
export function Form({ title, label, what, run, sure, children }: FormProps) {
  const [question, setQuestion] = useState<string>();
  const isAsking = question !== undefined;
  const [outcome, attempt] = useOutcome();
  const submit = (event: FormSubmission) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = fieldsOf(form);
    const doubt = sure?.(fields);
    if (doubt !== undefined && !isAsking) return setQuestion(doubt);
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
        <button class={isAsking ? 'small danger' : 'small main'} aria-disabled={outcome.busy} onClick={once}>
          {labelled(isAsking ? confirming(label) : label, what)}
        </button>
        <Result outcome={outcome} question={question} />
      </div>
    </form>
  );
}

/** A panel with one form and a sentence that explains its purpose. */
export function FormPanel({ about, ...form }: FormProps & { about: string }) {
  return (
    <Panel title={form.title}>
      <p class="quiet">{about}</p>
      <Form {...form} />
    </Panel>
  );
}

interface FieldProps extends Record<string, unknown> {
  name: string;
  label: string;
  unit?: string;
  /** A hint below the field. */
  children?: ComponentChildren;
  value?: string | number | undefined;
  grow?: boolean;
  rows?: number;
  range?: readonly [least: number, most: number];
}

/** A form field: multi-line with `rows`, numeric with `range`. Additional properties become attributes of the input. */
export function Field({ name, label, unit, value = '', grow = false, rows, range, children, ...rest }: FieldProps) {
  const id = useId();
  const describedBy = children === undefined ? undefined : `${id}-hint`;
  const limits: Record<string, unknown> = range ? { type: 'number', min: range[0], max: range[1] } : {};
  const common = { id, name, defaultValue: String(value), 'aria-describedby': describedBy, ...limits, ...rest };
  return (
    <div class={`field ${rows ? 'all' : ''} ${grow ? 'grow' : ''}`}>
      <label for={id}>
        {label}
        {unit !== undefined && <span class="unit"> in {unit}</span>}
      </label>
      {rows ? <textarea rows={rows} spellcheck={false} {...common} /> : <input autocomplete="off" {...common} />}
      {children !== undefined && (
        <span class="quiet" id={`${id}-hint`}>
          {children}
        </span>
      )}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: Options;
  value?: string;
  change?: (value: string) => void;
  grow?: boolean;
}

/** A select field. With `change`, the address stores its value; otherwise the form does. */
export function Choice({ name, label, options, value = '', change, grow = false }: ChoiceProps) {
  // Without `change`, a re-render does not affect the user's choice.
  const selection = (selected: boolean) => ({ defaultSelected: selected, ...(change !== undefined && { selected }) });
  return (
    <label class={grow ? 'field grow' : 'field'}>
      <span>{label}</span>
      <select name={name} onChange={({ currentTarget }) => change?.(currentTarget.value)}>
        {options.map(([each, title]) => (
          <option value={each} {...selection(each === value)}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Maximum number of options in a picker. */
const mostPicked = 500;

/** A select field for items of the sandbox. A `value` that is not an option is added under its code. */
export function Picker({ value = '', options, ...rest }: Parameters<typeof Choice>[0]) {
  const listed = options.slice(0, mostPicked);
  const isListed = value === '' || listed.some(([each]) => each === value);
  return <Choice {...rest} value={value} options={isListed ? listed : [[value, value], ...listed]} />;
}

interface ActionProps {
  label: string;
  what?: string;
  run: () => Promise<unknown>;
}

/** A button that runs an action, with the result. */
export function Action({ label, what, run, look = '' }: ActionProps & { look?: 'main' | 'danger' | '' }) {
  const [outcome, attempt] = useOutcome();
  return (
    <span class="action">
      <button type="button" class={`small ${look}`} aria-disabled={outcome.busy} onClick={() => attempt(run)}>
        {labelled(label, what)}
      </button>
      <Result outcome={outcome} />
    </span>
  );
}

/** A button for an action that cannot be undone. The first press asks for confirmation, and the second runs it. */
export function Twice({ label, sure, run, what }: ActionProps & { sure: string }) {
  const [isConfirming, setConfirming] = useState(false);
  const [outcome, attempt, forget] = useOutcome();
  const press = (event: MouseEvent) => {
    once(event);
    if (outcome.busy || event.defaultPrevented) return;
    if (!isConfirming) forget();
    else void attempt(run);
    setConfirming(!isConfirming);
  };
  const look = isConfirming ? 'small danger sure' : 'small danger';
  return (
    <span class="action">
      <button type="button" class={look} aria-disabled={outcome.busy} onClick={press}>
        {labelled(isConfirming ? confirming(label) : label, what)}
      </button>
      {isConfirming && (
        <button type="button" class="small" onClick={() => setConfirming(false)}>
          {labelled('Cancel', what)}
        </button>
      )}
      <Result outcome={outcome} question={isConfirming ? sure : undefined} />
    </span>
  );
}

/** Runs the jobs that are due now. Returns the number of jobs that ran, in words. */
export async function runDueJobs(job = 'job') {
  const { ran } = await ask(api.POST('/settle'));
  return `${ran} ${job}${ran === 1 ? '' : 's'} ran.`;
}

/** Returns the whole number in a field; `undefined` if it is empty. */
export function number(text: string | undefined) {
  return text === undefined || text === '' ? undefined : Number(text);
}

/** Returns the fields that are not empty. */
export function filled<T extends Record<string, unknown>>(
  fields: T,
): { [Name in keyof T]: Exclude<T[Name], undefined | ''> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given) as never;
}
