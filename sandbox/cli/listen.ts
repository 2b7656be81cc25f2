/** The `listen` command, which connects a remote sandbox to a server on this machine. It has its own composition root. */
import { type Command, InvalidArgumentError } from 'commander';
import type { components } from '../../generated/sandbox/types.ts';
import { delayBy, holdingTimer } from '../runtime/clock.ts';
import { printable } from '../runtime/terminal.ts';
import { type Act, noAnswer, type RunningSandbox, url, withSandbox } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import type { ForwardedCall, LineEnd, LineReport } from './listen-connection.ts';

type CallEntry = components['schemas']['ActivityCall'];

interface ListenFlags extends RunningSandbox {
  readonly forwardTo: string;
  readonly json?: boolean;
  readonly printSecrets?: boolean;
}

const help = `
Examples:
  rewards-sandbox listen --sandbox https://sandbox.example --token at_... --forward-to http://localhost:8080
  rewards-sandbox listen --forward-to http://localhost:8080 --print-secrets   also show the secrets that your server needs
  rewards-sandbox listen --forward-to http://localhost:8080 --json            one JSON line per call

Opens one connection to the sandbox, through HTTPS_PROXY if it is set. --forward-to becomes the client URL of the workspace. While the
connection is open, the command forwards the calls to the client and the webhooks of the workspace to that origin only.
A newer listener of the same workspace replaces this one.

Exit codes:
  0 stopped   1 refused, replaced, or the client URL was changed   2 usage error   3 no response from the sandbox`;

/** Adds the `listen` command to the program. */
export function addTo(program: Command, act: Act): void {
  const named = program.command('listen').description('Connect a server on this machine to a shared sandbox.');
  withSandbox(named, '--token, --admin-token <token>')
    .requiredOption('--forward-to <url>', 'your server, e.g. http://localhost:8080', forwardTarget)
    .option('--print-secrets', 'show the service token and the webhook secrets')
    .option('--json', 'print one JSON line per call')
    .addHelpText('after', help)
    .action(act(listen));
}

/** Parses a base URL and removes its trailing slash. */
function forwardTarget(text: string): string {
  const { origin, pathname, username, password, search, hash } = url(text);
  if (`${username}${password}${search}${hash}` !== '')
    throw new InvalidArgumentError('It must have no credentials, query or fragment.');
  return `${origin}${pathname}`.replace(/\/$/, '');
}

/** Milliseconds before the first attempt to reconnect. The wait doubles with each further attempt. */
const firstWait = 250;
const longestWait = 30_000;

/** Forwards calls until the command is stopped, refused or replaced. Reconnects when the connection is lost. */
async function listen(io: Io, { forwardTo, json, printSecrets, ...running }: ListenFlags): Promise<number> {
  const { callingThrough, ListenConnection } = await import('./listen-connection.ts');
  const over = callingThrough(io.env);
  const stopping = new AbortController();
  void io.stopped().then(() => stopping.abort());
  const { signal } = stopping;
  const { sandbox, adminToken } = running;
  const authorization: Record<string, string> =
    adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  let wait = firstWait;
  const show = callReporter(io, json === true, printSecrets === true);
  const line = { api: `${sandbox}/sandbox/v1`, authorization, forwardTo, over, report: show };
  try {
    for (;;) {
      const began = performance.now();
      const end = await new ListenConnection(line, signal).follow();
      // Only a long connection resets the wait. A sandbox that accepts and then drops lines is therefore called less
      // and less often.
      if (performance.now() - began > longestWait) wait = firstWait;
      show.cut();
      if (signal.aborted) break;
      const final = exitOf(end, show.hasOpened(), running);
      if (final !== undefined) return failWith(io, final.code, final.message);
      const why = end.kind === 'lost' ? end.error.message : end.kind === 'ended' ? end.reason : end.message;
      say(io, `Connection lost (${why}). Reconnecting in ${wait / 1000} s.`);
      await delayBy(holdingTimer)(wait, signal);
      wait = Math.min(wait * 2, longestWait);
    }
  } finally {
    await over.destroy();
  }
  say(
    io,
    `Disconnected. The client URL of the workspace stays ${forwardTo}: calls get no answer until you listen again.`,
  );
  return 0;
}

/** Returns the exit code and message after a line has ended; `undefined` if the command reconnects. */
function exitOf(
  end: LineEnd,
  wasOpen: boolean,
  running: RunningSandbox,
): { message: string; code: number } | undefined {
  if (end.kind === 'ended') {
    if (end.reason === 'replaced') return { message: 'Another listener of this workspace took over.', code: 1 };
    if (end.reason !== 'client_url_changed') return undefined;
    return { message: 'The client URL of the workspace was changed, so its calls no longer arrive here.', code: 1 };
  }
  if (end.kind === 'refused') {
    if (end.status >= 500) return undefined;
    return { message: `The sandbox refused the listener: ${end.message} (${end.status}).`, code: 1 };
  }
  return wasOpen ? undefined : { message: noAnswer(running, end.error), code: 3 };
}

/** A call whose log entry has not arrived yet. */
interface ShownCall extends ForwardedCall {
  readonly began: number;
  ended: number | undefined;
}

/** A call that has ended, or that was cut off and therefore has no log entry. */
type EndedCall = Pick<CallEntry, 'operation' | 'method' | 'url' | 'status' | 'findings' | 'notices'> &
  Partial<Pick<CallEntry, 'trace' | 'seq'>>;

/** Maximum number of calls that wait for their log entry. */
const mostShown = 1000;

/** Returns a report that prints a line for each call, as text or JSON. */
function callReporter(io: Io, isJson: boolean, hasSecrets: boolean) {
  /** Whether a line has been opened at least once. */
  let hasOpened = false;
  /** The calls by span id, which is also in their log entries. */
  const calls = new Map<string, ShownCall>();
  const print = (json: object, ...lines: readonly string[]) => {
    for (const line of isJson ? [JSON.stringify(json)] : lines) io.stdout.write(`${printable(line)}\n`);
  };
  /** Prints the time, operation, status, duration and findings of a call. */
  const show = (ended: EndedCall, call?: ShownCall) => {
    const { operation, method, url, status, findings = [], notices, trace, seq } = ended;
    const duration_ms = call && Math.round((call.ended ?? performance.now()) - call.began);
    const at = new Date(Date.now()).toISOString();
    const found = findings.map(({ severity, code, pointer, expected }) => `${severity} ${code} ${pointer} ${expected}`);
    const about = [...(status === null || found.length === 0 ? notices : []), ...found].join('; ');
    const name = (operation ?? method).padEnd(20);
    const duration = `${duration_ms ?? '-'} ms`.padStart(9);
    const columns = [at.slice(11, 19), name, `${status ?? '-'}`.padEnd(3), duration, about];
    const json = { at, operation, method, url, status, duration_ms, findings, notices, trace, seq };
    print({ event: 'call', ...json }, columns.join('  ').trimEnd());
  };
  const report: LineReport = {
    opened({ workspace, forward_to, client_token, webhooks }) {
      hasOpened = true;
      const secrets = { client_token, webhooks: webhooks.map(({ url, secret }) => ({ url, secret })) };
      const opened = { event: 'listening', workspace, forward_to, ...(hasSecrets && secrets) };
      const webhookLines = secrets.webhooks.map(({ url, secret }) => `Webhook secret of ${url}: ${secret}`);
      const none = 'Webhook secret: register a webhook; the response shows its secret';
      const secretLines = [`Service token: ${client_token}`, ...(webhookLines.length > 0 ? webhookLines : [none])];
      print(opened, `Listening: workspace ${workspace} calls ${forward_to}`, ...(hasSecrets ? secretLines : []));
    },
    began(call) {
      const shown: ShownCall = { ...call, began: performance.now(), ended: undefined };
      const [, , span = ''] = (call.headers.traceparent ?? '').split('-');
      calls.set(span, shown);
      const [oldest = ''] = calls.keys();
      if (calls.size > mostShown) calls.delete(oldest);
      return () => {
        shown.ended = performance.now();
      };
    },
    logged(entry) {
      const span = entry.span ?? '';
      show(entry, calls.get(span));
      calls.delete(span);
    },
    problem: (message) => say(io, message),
  };
  return {
    ...report,
    hasOpened: () => hasOpened,
    /** Reports that the line has ended. Calls in progress receive no answer. */
    cut() {
      const notices = ['the connection to the sandbox ended first'];
      for (const call of calls.values()) show({ ...call, url: call.path, status: null, notices }, call);
      calls.clear();
    },
  };
}
