/** Reads one-time passwords from an option, a partner's URL, a sandbox outbox or a function (OP-170). */
import type { Dispatcher } from 'undici';
import { readResponse } from '../http-client/read-response.ts';
import { delayBy, type Timer } from '../runtime/clock.ts';
import { parseJson } from './answer.ts';
import { EnvironmentError } from './preflight.ts';
import { prerequisites } from './requirement.ts';
import { Blocked, type Input, MissingInput, type ReadCode } from './verdict.ts';

/** Delays before each attempt to read a code, in real milliseconds. */
const pauses = [0, 100, 200, 400, 700, 1000];
/** Maximum total time of all attempts, in milliseconds. */
const longest = 3000;
/** Maximum size of an answer, in bytes. One hundred messages are smaller. */
const mostBytes = 256 * 1024;
/** The pattern of a code: one short word. */
const codePattern = /^[^\s<>{}]{1,20}$/;

/** The dependencies for reading codes. */
export interface Reading {
  readonly dispatcher: Dispatcher;
  readonly timer: Timer;
  readonly signal: AbortSignal;
}

/** Returns the function that reads codes. Rejects with an `EnvironmentError` if it needs a sandbox outbox that cannot be read. */
export async function codeReader({ otp, sandbox }: Input, reading: Reading): Promise<ReadCode> {
  if (otp?.read !== undefined) return otp.read;
  if (otp?.code !== undefined) return () => Promise.resolve(otp.code as string);
  if (otp?.url !== undefined) return atUrl(otp.url, reading);
  if (otp?.gateway === true && sandbox !== undefined) return inOutbox(sandbox, reading);
  return () => Promise.reject(new MissingInput('It requires one-time passwords.', '--otp-url URL'));
}

type Sent = Parameters<ReadCode>[0];

/** Extracts the code from an answer: the text itself, `otp` or `code` of a JSON object, or `undefined` if there is none. */
export function codeIn(text: string): string | undefined {
  const whole = text.trim();
  if (!/^[{"]/.test(whole)) return codePattern.test(whole) ? whole : undefined;
  const json = parseJson(whole);
  const fields = typeof json === 'object' ? (json as { otp?: unknown; code?: unknown } | null) : { code: json };
  const code = fields?.otp ?? fields?.code;
  const word = typeof code === 'number' ? String(code) : code;
  return typeof word === 'string' && codePattern.test(word) ? word : undefined;
}

function atUrl(template: string, reading: Reading): ReadCode {
  return (sent) => {
    const url = template.replaceAll(/\{(customer_id|reference_id)\}/g, (_, name: keyof Sent) =>
      encodeURIComponent(sent[name]),
    );
    return polled(reading, sent, async (signal) => {
      const { status, text } = await got(url, {}, reading, signal);
      const code = status === 200 ? codeIn(text) : undefined;
      return code === undefined
        ? { why: `the address returned ${status}${status === 200 ? ' without a code' : ''}` }
        : { code };
    });
  };
}

interface Message {
  readonly seq: number;
  readonly uid: string | null;
  readonly reference_id?: string;
  readonly otp?: string;
}

/** Returns a function that reads codes from a sandbox outbox. It ignores older messages and uses each message only once. */
async function inOutbox(sandbox: NonNullable<Input['sandbox']>, reading: Reading): Promise<ReadCode> {
  const url = `${sandbox.url.replace(/\/$/, '')}/sandbox/v1/messages?limit=100`;
  const headers = sandbox.admin_token === undefined ? {} : { authorization: `Bearer ${sandbox.admin_token}` };
  const list = async (signal: AbortSignal): Promise<{ items: readonly Message[] } | { why: string }> => {
    const { status, text } = await got(url, headers, reading, signal);
    const { items } = (parseJson(text) ?? {}) as { items?: readonly Message[] };
    return status === 200 && Array.isArray(items) ? { items } : { why: `the sandbox returned ${status}` };
  };
  const first = await list(AbortSignal.any([reading.signal, AbortSignal.timeout(longest)])).catch(whyOf);
  if (!('items' in first))
    throw new EnvironmentError(
      `Cannot read the messages of ${sandbox.url}: ${first.why}. Check that it is a rewards sandbox.`,
    );
  let read = first.items[0]?.seq ?? 0;
  const used = new Set<number>();
  return (sent) =>
    polled(reading, sent, async (signal) => {
      const found = await list(signal);
      if (!('items' in found)) return found;
      const fresh = found.items.filter(({ seq, otp }) => seq > read && !used.has(seq) && otp !== undefined);
      const message =
        fresh.find(({ reference_id }) => reference_id !== undefined && reference_id === sent.reference_id) ??
        fresh.find(({ reference_id, uid }) => reference_id === undefined && uid === sent.customer_id);
      if (message === undefined) return {};
      used.add(message.seq);
      // Older messages are no longer in the list of one hundred.
      for (const seq of used) if (seq < message.seq - 100) used.delete(seq);
      read = Math.max(read, message.seq - 100);
      return { code: message.otp };
    });
}

/**
 * Polls for a code for up to 3 s. Rejects with `Blocked` if the outbox received no message. Rejects with `MissingInput` if the
 * source itself failed, because the server may have sent a code.
 */
async function polled(
  { timer, signal }: Reading,
  { customer_id, reference_id }: Sent,
  look: (signal: AbortSignal) => Promise<{ code?: string | undefined; why?: string }>,
): Promise<string> {
  const late = new AbortController();
  const cancel = timer(() => late.abort(), longest);
  const over = AbortSignal.any([signal, late.signal]);
  const delay = delayBy(timer);
  let why: string | undefined;
  try {
    for (const pause of pauses) {
      await delay(pause, over);
      if (over.aborted) break;
      const found = await look(over).catch(whyOf);
      if (found.code !== undefined) return found.code;
      why = found.why ?? why;
    }
  } finally {
    cancel();
  }
  const message = `Cannot read a code for ${customer_id} with reference_id ${reference_id}: ${why ?? 'no message arrived'}.`;
  throw why === undefined ? new Blocked(prerequisites.signIn, message) : new MissingInput(message, '--otp-url URL');
}

async function got(url: string, headers: Record<string, string>, { dispatcher }: Reading, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(url);
  const call = { origin, method: 'GET' as const, path: `${pathname}${search}`, headers };
  const { status, packed } = await readResponse(dispatcher, call, mostBytes, signal);
  return { status, text: packed.toString('utf8') };
}

/** Returns the system's error code or message, neither of which contains an address or a secret. */
function whyOf(error: Error): { code?: undefined; why: string } {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return { why: 'no response in time' };
  return { why: (error as NodeJS.ErrnoException).code ?? error.message };
}
