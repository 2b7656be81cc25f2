// @ts-check
/** Forms, and buttons that ask once more. */
import { useId, useState } from 'preact/hooks';
import { CallFailure } from './api.js';
import { html } from './html.js';
import { tell } from './live.js';

/** @typedef {Readonly<Record<string, string>>} Fields What was typed and chosen, by the names of the fields. */
/** @typedef {{ busy: boolean, message: unknown, bad: boolean }} Outcome */

const rested = /** @type {Outcome} */ ({ busy: false, message: '', bad: false });

/**
 * Runs one action at a time and stores its result: the text that `run` returns, or the message of its failure.
 * @returns {[Outcome, (run: () => Promise<unknown>) => Promise<void>, () => void]}
 */
function useOutcome() {
  const [outcome, setOutcome] = useState(rested);
  /** @param {() => Promise<unknown>} run */
  const attempt = async (run) => {
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

/** The label of a button within a sentence. @param {string} label */
function lowered(label) {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/**
 * The second click of a double click is not meant as an answer to what the first one made the button ask.
 * @param {MouseEvent} event
 */
function once(event) {
  if (event.detail > 1) event.preventDefault();
}

/**
 * A form, and the result of sending it. Its fields are reset when `run` has succeeded. If `sure` returns a question about
 * the fields, the user confirms first.
 * @param {{ title: string, label: string, what?: string, run: (fields: Fields) => Promise<unknown>, sure?: (fields: Fields) => string | undefined, children?: unknown }} given
 */
export function Form({ title, label, what, run, sure, children }) {
  const [question, setQuestion] = useState(/** @type {string | undefined} */ (undefined));
  const [{ busy, message, bad }, attempt] = useOutcome();
  /** @param {{ preventDefault(): void, currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
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
  return html`
    <form class="form" aria-label=${title} onSubmit=${submit} onInput=${() => setQuestion(undefined)}>
      <div class="editor">${children}</div>
      <div class="ways">
        <button class=${question === undefined ? 'small main' : 'small danger'} aria-disabled=${busy} onClick=${once}>
          ${question === undefined ? label : `Yes, ${lowered(label)}`}${what !== undefined && html`<span class="unseen"> ${what}</span>`}
        </button>
        <span role="status" class=${bad ? 'problem' : 'quiet'}>${question ?? message}</span>
      </div>
    </form>
  `;
}

/**
 * A field of a form. What else is given becomes an attribute of the input.
 * @param {{ name: string, label: string, unit?: string, hint?: unknown, value?: string | number, grow?: boolean } & Record<string, unknown>} given
 */
export function Field({ name, label, unit, hint, value = '', grow = false, ...rest }) {
  const id = useId();
  return html`
    <div class=${grow ? 'field grow' : 'field'}>
      <label for=${id}>${label}${unit !== undefined && html`<span class="unit"> in ${unit}</span>`}</label>
      <input id=${id} name=${name} autocomplete="off" defaultValue=${String(value)} aria-describedby=${hint && `${id}-hint`} ...${rest} />
      ${hint !== undefined && html`<span class="quiet" id=${`${id}-hint`}>${hint}</span>`}
    </div>
  `;
}

/**
 * A field of several lines, one value a line.
 * @param {{ name: string, label: string, values: readonly string[], hint: string }} given
 */
export function Lines({ name, label, values, hint }) {
  const id = useId();
  return html`
    <div class="field all">
      <label for=${id}>${label}</label>
      <textarea id=${id} name=${name} rows="3" spellcheck=${false} defaultValue=${values.join('\n')} aria-describedby=${`${id}-hint`}></textarea>
      <span class="quiet" id=${`${id}-hint`}>${hint}</span>
    </div>
  `;
}

/**
 * A choice of a form: with `change` the address stores it, otherwise the form does.
 * @param {{ name: string, label: string, options: readonly (readonly [value: string, title: string])[], value?: string, change?: (value: string) => void, grow?: boolean, required?: boolean }} given
 */
export function Choice({ name, label, options, value = '', change, grow = false, required = false }) {
  /** @param {boolean} chosen */
  const selection = (chosen) => ({ defaultSelected: chosen, ...(change !== undefined && { selected: chosen }) });
  /** @param {{ currentTarget: HTMLSelectElement }} event */
  const changed = ({ currentTarget }) => change?.(currentTarget.value);
  return html`
    <label class=${grow ? 'field grow' : 'field'}>
      <span>${label}</span>
      <select name=${name} onChange=${changed} required=${required}>
        ${options.map(([each, title]) => html`<option value=${each} ...${selection(each === value)}>${title}</option>`)}
      </select>
    </label>
  `;
}

/** Most options of a picker. */
const mostPicked = 500;

/**
 * A choice among what the sandbox has. A `value` that is not among the options is added under its code.
 * @param {Parameters<typeof Choice>[0]} given
 */
export function Picker({ value = '', options, ...rest }) {
  const shown = options.slice(0, mostPicked);
  const isListed = value === '' || shown.some(([each]) => each === value);
  return html`<${Choice} ...${rest} value=${value} options=${isListed ? shown : [[value, value], ...shown]} />`;
}

/**
 * A button for an action that cannot be undone: the first press asks for confirmation, the second runs it.
 * @param {{ label: string, sure: string, run: () => Promise<unknown>, what?: string }} given
 */
export function Twice({ label, sure, run, what }) {
  const [isConfirming, setConfirming] = useState(false);
  const [{ busy, message, bad }, attempt, forget] = useOutcome();
  /** @param {MouseEvent} event */
  const press = (event) => {
    once(event);
    if (busy || event.defaultPrevented) return;
    if (!isConfirming) forget();
    else void attempt(run);
    setConfirming(!isConfirming);
  };
  return html`
    <span class="action">
      <button type="button" class=${isConfirming ? 'small danger sure' : 'small danger'} aria-disabled=${busy} onClick=${press}>
        ${isConfirming ? `Yes, ${lowered(label)}` : label}${what !== undefined && html`<span class="unseen"> ${what}</span>`}
      </button>
      ${isConfirming && html`<button type="button" class="small" onClick=${() => setConfirming(false)}>Cancel<span class="unseen"> ${what}</span></button>`}
      <span role="status" class=${bad ? 'problem' : 'quiet'}>${isConfirming ? sure : message}</span>
    </span>
  `;
}

/**
 * What was caused, with the way to it in the traffic.
 * @param {string} text
 * @param {string} trace
 */
export function caused(text, trace) {
  return html`${text} <a href=${`/dashboard/traffic?q=${encodeURIComponent(trace)}`}>View in Traffic</a>`;
}

/**
 * A field's whole number; undefined where it was left empty.
 * @param {string | undefined} text
 */
export function number(text) {
  return text === undefined || text === '' ? undefined : Number(text);
}

/**
 * The fields that were filled in.
 * @template {Record<string, unknown>} T
 * @param {T} fields
 * @returns {{ [Name in keyof T]: Exclude<T[Name], undefined | ''> }}
 */
export function filled(fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return /** @type {never} */ (Object.fromEntries(given));
}
