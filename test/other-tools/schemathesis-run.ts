/**
 * Starts a sandbox and lets Schemathesis call every operation, one contract after another. Afterwards, a customer must
 * still be able to order a voucher. `schemathesis.ts` runs this script without any network except loopback.
 *
 * Usage: `node test/other-tools/schemathesis-run.ts <st> <folder to write to> [contract...]`. The default is all
 * contracts.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { loadApis } from '../../sandbox/assembly/apis.ts';
import type { Operation } from '../../sandbox/contract/document.ts';
import type { LoadedContract } from '../../sandbox/contract/schemas.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { credentialsOf, sessionOf } from './credentials.ts';
import { controlOf, customerId, dataOf, rewardsOf, withSandbox } from './running.ts';
import { command, Fault } from './tool.ts';

const [, , st = '', work = '', ...named] = argv;

/**
 * The only excluded check. Business rules may refuse a request that matches the schema, for example with an unknown
 * customer or a wrong code.
 */
const excludedCheck = 'positive_data_acceptance';

/** The status codes of refusals. A session that has ended returns 410. */
const refused = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 428, 429, 503];

/** The contracts, each with its served operations and prefix. The control API is last because it can delete all data. */
const parts = loadApis()
  .flatMap(({ prefix, parts }) => parts.flatMap(splitSessionEnds).map((contract) => ({ prefix, contract })))
  .filter(({ contract }) => named.length === 0 || named.includes(contract.api))
  .sort((one, other) => Number(one.contract.api === 'sandbox') - Number(other.contract.api === 'sandbox'));

const summary = await withSandbox(
  { clock: 'running', resolve: async () => [], warn: () => undefined },
  async (sandbox) => {
    for (const { prefix, contract } of parts) await examine(sandbox, prefix, contract);
    await expectDelivery(sandbox);
    return [...new Set(parts.map(({ prefix, contract }) => `${contract.api} at ${prefix}`))].join(', ');
  },
);
console.log(`${summary}; then an order was delivered`);

/** Splits a contract so that operations that end a session run last, because other operations fail afterwards. */
function splitSessionEnds(contract: LoadedContract): LoadedContract[] {
  const ends = ({ operationId }: Operation) => operationId === 'leavePortal' || operationId === 'leaveMicrosite';
  const { operations } = contract;
  const halves = [operations.filter((operation) => !ends(operation)), operations.filter(ends)];
  return halves.filter(({ length }) => length > 0).map((half) => ({ ...contract, operations: half }));
}

/** Runs the tool on the served part of a contract. Throws `Fault` with its findings. */
async function examine(sandbox: Sandbox, prefix: string, contract: LoadedContract): Promise<void> {
  const folder = mkdtempSync(join(work, `${contract.api}-`));
  writeFileSync(join(folder, 'served.json'), JSON.stringify(served(contract)));
  writeFileSync(join(folder, 'schemathesis.toml'), await settings(sandbox, contract));
  const options = [
    '--url',
    `${sandbox.origin}${prefix}`,
    '--exclude-checks',
    excludedCheck,
    '--seed',
    '1',
    '--max-examples',
    '20',
  ];
  const setting = { cwd: folder, env: { NO_COLOR: '1' } };
  await command(st, ['run', 'served.json', '--continue-on-failure', '--warnings', 'off', ...options], setting);
}

/** Returns a contract without the operations that other servers implement. */
function served({ bundle, operations }: LoadedContract) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, item] of Object.entries(bundle.paths as typeof paths)) {
    const here = operations.filter((operation) => operation.path === path).map(({ method }) => method.toLowerCase());
    const fields = Object.entries(item).filter(([key]) => here.includes(key) || key === 'parameters');
    if (here.length > 0) paths[path] = Object.fromEntries(fields);
  }
  return { ...bundle, paths };
}

/** Returns the tool's settings: fresh credentials, and exceptions from its defaults. */
async function settings(sandbox: Sandbox, { api, operations, securitySchemes }: LoadedContract): Promise<string> {
  const credentials = await credentialsOf(sandbox);
  const session = await sessionOf(sandbox, api);
  // The client answers 422 to a caller without a valid token, as the interface states (X2).
  const with422 = operations.filter(({ security }) => security.includes('serviceToken'));
  return [
    'max-redirects = 0',
    'request-timeout = 60',
    `[checks.negative_data_rejection]\nexpected-statuses = ${JSON.stringify(refused)}`,
    `[checks.missing_required_header]\nexpected-statuses = ${JSON.stringify(refused)}`,
    // Without this setting, a long-polling request waits as long as it specifies.
    '[parameters]\nwait = 0',
    ...(session === undefined ? [] : [`"path.session" = "${session}"`]),
    ...(securitySchemes.length === 0 ? [] : ['[auth.openapi]']),
    ...securitySchemes.map((scheme) => `${scheme} = ${credentials(scheme)}`),
    // These streams never end, and their next event may never arrive.
    ...['streamActivity', 'openListener'].map(
      (id) => `[[operations]]\ninclude-operation-id = "${id}"\nenabled = false`,
    ),
    ...with422.flatMap(({ operationId }) => [
      `[[operations]]\ninclude-operation-id = "${operationId}"\nchecks.ignored_auth.enabled = false\nchecks.missing_required_header.enabled = false`,
    ]),
  ].join('\n');
}

/** Orders a voucher. Throws `Fault` unless it is delivered. */
async function expectDelivery(sandbox: Sandbox): Promise<void> {
  const control = controlOf(sandbox);
  dataOf(await control.POST('/reset', {}));
  const rewards = await rewardsOf(sandbox);
  const body = { uid: customerId, line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const { order_id } = dataOf(await rewards.POST('/v1/partner/redeemptiononskus', { body }));
  dataOf(await control.POST('/clock/advance', { body: { seconds: 3600 } }));
  const { order } = dataOf(await control.GET('/orders/{order_id}', { params: { path: { order_id } } }));
  if (order.status !== 'Delivered') throw new Fault(`the order is ${order.status}`);
}
