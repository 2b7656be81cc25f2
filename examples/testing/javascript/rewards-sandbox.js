/**
 * A rewards sandbox for tests: one process per test file, and one workspace per test. It needs only Node, and works with node:test, vitest,
 * jest and Playwright.
 *
 * The command in REWARDS_SANDBOX_COMMAND starts the sandbox (`rewards-sandbox` by default). To use a running sandbox instead, set
 * REWARDS_SANDBOX_URL to its control API, such as http://127.0.0.1:4010/sandbox/v1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Makes a call. Returns responses with an error status too, and rejects if there is no response. */
export async function call(method, url, body, headers = {}) {
  const reply = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: /^[{[]/.test(text) ? JSON.parse(text) : undefined,
  };
}

/** Makes a call. Resolves with the body of the response, or rejects if the call is refused. */
export async function accepted(method, url, body, headers) {
  const answer = await call(method, url, body, headers);
  if (answer.status >= 400) throw new Error(`${method} ${url} returned ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The workspace of one test, with its own customers, catalogue, ledger, clock and credentials. */
export class Workspace {
  #admin;

  constructor({ id, urls, credentials, admin_token }) {
    Object.assign(this, { id, urls, credentials });
    this.#admin = { Authorization: `Bearer ${admin_token}` };
  }

  /** Calls the control API. Resolves with the body, or rejects if the call is refused. */
  control(method, path, body) {
    return accepted(method, this.urls.sandbox + path, body, this.#admin);
  }

  /** Returns the token that your server sends to the platform. */
  async companyToken() {
    const secret = { secret: this.credentials.company_secret };
    return (await accepted('POST', `${this.urls.rewards}/v1/company/auth`, secret)).token;
  }

  /** Orders one item with the company token, as your server does. Resolves with the order, or rejects if it is refused. */
  async order(uid, sku) {
    const Authorization = await this.companyToken();
    const body = { uid, line_items: [{ sku, quantity: 1 }] };
    return accepted('POST', `${this.urls.rewards}/v1/partner/redeemptiononskus`, body, { Authorization });
  }

  /** Makes the platform call your own client server instead of the reference client. */
  pointAt(client_url, client_token) {
    return this.control('PATCH', '/workspace', { settings: { client_url, client_token } });
  }

  /** Advances the clock, and runs everything that becomes due: deliveries, reversals, credits. */
  advance(seconds) {
    return this.control('POST', '/clock/advance', { seconds });
  }

  /** Returns the balance and entries of a customer in the client's ledger. */
  ledger(uid) {
    return this.control('GET', `/ledger/${uid}`);
  }

  /** Rejects if the points of platform and client differ, or a delivery is pending. */
  async assertBooksEven() {
    const differences = await this.control('GET', '/reconciliation');
    if (differences.items.length > 0 || differences.next !== null)
      throw new Error(`the ledgers differ: ${JSON.stringify(differences, null, 2)}`);
  }

  /** Rejects if either side violated the interface in this test. */
  async assertContractsKept() {
    const found = await this.control('GET', '/findings?severity=error&wait=60');
    if (found.items.length > 0) throw new Error(`calls violate the interface: ${JSON.stringify(found.items, null, 2)}`);
    if (found.checked_to < found.newest) throw new Error('calls were not checked within 60 s');
  }
}

/** Starts the sandbox, or connects to the running one. Call it before all tests. */
export async function startSandbox() {
  const running = process.env.REWARDS_SANDBOX_URL;
  if (running) return sandboxAt(running, async () => {});
  const [command, ...args] = (process.env.REWARDS_SANDBOX_COMMAND ?? 'rewards-sandbox').split(' ');
  const flags = [
    '--port',
    '0',
    '--json',
    '--no-docs',
    '--workspaces',
    '2000',
    '--store',
    'memory',
    '--exit-with-parent',
  ];
  // The standard input of the sandbox closes when this process ends, however it ends.
  const child = spawn(command, [...args, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const ready = once(child.stdout, 'data').then(([line]) => JSON.parse(line).urls.sandbox);
  const url = await Promise.race([
    ready,
    ended.then(([code]) => {
      throw new Error(`the sandbox ended with ${code} before it was ready`);
    }),
  ]);
  return sandboxAt(url, async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

function sandboxAt(url, stop) {
  return {
    /** Stops the sandbox. Call it after all tests. */
    stop,
    /** Runs a test with a workspace whose clock is frozen. After the test, its ledgers must agree, and it is deleted. */
    async withWorkspace(test) {
      const answer = await call('POST', `${url}/workspaces`, { clock: 'frozen' });
      if (answer.status !== 201) throw new Error(`no workspace: ${answer.status} ${answer.text}`);
      const workspace = new Workspace(answer.body);
      try {
        await test(workspace);
        await workspace.assertBooksEven();
      } finally {
        await workspace.control('DELETE', `/workspaces/${workspace.id}`);
      }
    },
  };
}
