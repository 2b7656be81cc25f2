/**
 * A rewards sandbox in tests: one process for a test file, a workspace of its own for each test. It needs Node and nothing else, and
 * works in node:test, vitest, jest and Playwright.
 *
 * The sandbox is started by the command in REWARDS_SANDBOX_COMMAND (`rewards-sandbox` where it is not set), or is the running one whose
 * control API REWARDS_SANDBOX_URL names, such as http://127.0.0.1:4010/sandbox/v1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Makes a call. An error status is an answer too; rejects where there is none. */
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

/** Makes a call, and resolves with the body of its answer; rejects where the call is refused. */
export async function accepted(method, url, body, headers) {
  const answer = await call(method, url, body, headers);
  if (answer.status >= 400) throw new Error(`${method} ${url} returned ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** One test's own sandbox: customers, catalogue, ledger, clock and credentials that nobody else has. */
export class Workspace {
  #admin;

  constructor({ id, urls, credentials, admin_token }) {
    Object.assign(this, { id, urls, credentials });
    this.#admin = { Authorization: `Bearer ${admin_token}` };
  }

  /** Calls the control API. Resolves with the body; rejects where the call is refused. */
  control(method, path, body) {
    return accepted(method, this.urls.sandbox + path, body, this.#admin);
  }

  /** What your server shows the platform. */
  async companyToken() {
    const secret = { secret: this.credentials.company_secret };
    return (await accepted('POST', `${this.urls.rewards}/v1/company/auth`, secret)).token;
  }

  /** Orders one item with the company token, as your server does. Resolves with the order; rejects where it is refused. */
  async order(uid, sku) {
    const Authorization = await this.companyToken();
    const body = { uid, line_items: [{ sku, quantity: 1 }] };
    return accepted('POST', `${this.urls.rewards}/v1/partner/redeemptiononskus`, body, { Authorization });
  }

  /** Has the platform call your own client server in place of the reference client. */
  pointAt(client_url, client_token) {
    return this.control('PATCH', '/workspace', { settings: { client_url, client_token } });
  }

  /** Moves the clock on, and runs what falls due on the way: deliveries, reversals, credits. */
  advance(seconds) {
    return this.control('POST', '/clock/advance', { seconds });
  }

  /** Balance and entries of a customer, as the client has them. */
  ledger(uid) {
    return this.control('GET', `/ledger/${uid}`);
  }

  /** Rejects where points of platform and client differ, or something is left over. */
  async assertBooksEven() {
    const differences = await this.control('GET', '/reconciliation');
    if (differences.items.length > 0 || differences.next !== null)
      throw new Error(`the ledgers differ: ${JSON.stringify(differences, null, 2)}`);
  }

  /** Rejects if a call of this test, by either side, violates the interface. */
  async assertContractsKept() {
    const found = await this.control('GET', '/findings?severity=error&wait=60');
    if (found.items.length > 0) throw new Error(`calls violate the interface: ${JSON.stringify(found.items, null, 2)}`);
    if (found.checked_to < found.newest) throw new Error('calls were not checked within 60 s');
  }
}

/** Starts the sandbox, or takes the one that runs: call it before all tests. */
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
  // Its standard input closes with this process, however that ends.
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
    /** Ends it: call it after all tests. */
    stop,
    /** Runs a test with a workspace whose clock is paused. At the end its ledgers must agree, and it is removed. */
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
