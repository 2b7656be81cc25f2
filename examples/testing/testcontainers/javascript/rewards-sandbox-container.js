/**
 * A rewards sandbox in a container, for tests on a machine with a container engine. Copy this file. It needs the
 * package `testcontainers` and the image of `examples/container/`.
 */
import { randomBytes } from 'node:crypto';
import {
  AbstractStartedContainer,
  GenericContainer,
  getContainerRuntimeClient,
  TestContainers,
  Wait,
} from 'testcontainers';

/** The image to run. Build it with `docker build -t rewards-sandbox .` in `examples/container/`. */
export const image = 'rewards-sandbox';

const port = 4010;

/** Docker's default networks. The name `host.testcontainers.internal` resolves to an address in one of them. */
const containerNetworks = '172.16.0.0/12,192.168.0.0/16';

/**
 * @typedef {object} WorkspaceDetails
 * @property {string} id
 * @property {Record<string, string>} urls addresses inside the container; use `url()` instead
 * @property {{ company_secret: string, service_token: string, gateway_token: string }} credentials
 */

/** A container with one workspace, whose clock is frozen. */
export class RewardsSandboxContainer extends GenericContainer {
  #adminToken = randomBytes(24).toString('hex');
  /** @type {number[]} */
  #hostPorts = [];

  constructor(name = image) {
    super(name);
    this.withExposedPorts(port)
      .withEnvironment({ REWARDS_SANDBOX_ADMIN_TOKEN: this.#adminToken, REWARDS_SANDBOX_CLOCK: 'frozen' })
      .withWaitStrategy(Wait.forHttp('/sandbox/v1/health', port));
  }

  /**
   * Makes the platform call your client server on this machine instead of the reference client. Start your server
   * first.
   *
   * @param {number} hostPort port of your server
   * @param {string} serviceToken token that your server expects from the platform
   */
  withClientServer(hostPort, serviceToken) {
    this.#hostPorts.push(hostPort);
    return this.withEnvironment({
      REWARDS_SANDBOX_CLIENT_URL: `http://host.testcontainers.internal:${hostPort}`,
      REWARDS_SANDBOX_CLIENT_TOKEN: serviceToken,
      REWARDS_SANDBOX_ALLOW_ADDRESS: containerNetworks,
    });
  }

  /** @override */
  async start() {
    // Without this, the sandbox refuses calls to an engine on another machine, such as `docker` in GitLab CI.
    const { info } = await getContainerRuntimeClient();
    this.withEnvironment({ REWARDS_SANDBOX_ALLOW_HOST: info.containerRuntime.host });
    if (this.#hostPorts.length > 0) await TestContainers.exposeHostPorts(...this.#hostPorts);
    const started = new StartedRewardsSandboxContainer(await super.start(), this.#adminToken);
    await started.readWorkspace();
    return started;
  }
}

/** A running sandbox. */
export class StartedRewardsSandboxContainer extends AbstractStartedContainer {
  #adminToken;
  /** @type {WorkspaceDetails | undefined} */
  #workspace;

  /**
   * @param {import('testcontainers').StartedTestContainer} container
   * @param {string} adminToken
   */
  constructor(container, adminToken) {
    super(container);
    this.#adminToken = adminToken;
  }

  /** Returns the workspace with its credentials. */
  get workspace() {
    if (this.#workspace === undefined) throw new Error('the workspace was not read: start the container first');
    return this.#workspace;
  }

  /** Returns the admin token of the control API. */
  get adminToken() {
    return this.#adminToken;
  }

  /** Returns the address of the platform's API. */
  get platformUrl() {
    return this.url('rewards');
  }

  /**
   * Returns the address of an API as this machine reaches it.
   *
   * @param {'rewards' | 'client' | 'general' | 'gateway' | 'sandbox' | 'microsite' | 'dashboard'} api
   */
  url(api) {
    const { pathname } = new URL(this.workspace.urls[api] ?? '');
    return `http://${this.getHost()}:${this.getMappedPort(port)}${pathname}`;
  }

  /** Signs in as the company. Resolves with the token for the platform's API. */
  async companyToken() {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ secret: this.workspace.credentials.company_secret });
    const reply = await accepted(`${this.platformUrl}/v1/company/auth`, { method: 'POST', headers, body });
    return /** @type {{ token: string }} */ (reply).token;
  }

  /**
   * Calls the control API. Resolves with the body, or rejects with the status if the sandbox refuses the call.
   *
   * @param {string} method
   * @param {string} path such as `/clock/advance`
   * @param {unknown} [body]
   */
  control(method, path, body) {
    const headers = { Authorization: `Bearer ${this.#adminToken}`, 'Content-Type': 'application/json' };
    const text = body === undefined ? null : JSON.stringify(body);
    return accepted(this.url('sandbox') + path, { method, headers, body: text });
  }

  /** Reads the workspace. `start` calls this method. */
  async readWorkspace() {
    const url = `http://${this.getHost()}:${this.getMappedPort(port)}/sandbox/v1/workspace`;
    const reply = await accepted(url, { headers: { Authorization: `Bearer ${this.#adminToken}` } });
    this.#workspace = /** @type {WorkspaceDetails} */ (reply);
  }
}

/**
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<unknown>}
 */
async function accepted(url, init) {
  const reply = await fetch(url, init);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${init.method ?? 'GET'} ${url} returned ${reply.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
