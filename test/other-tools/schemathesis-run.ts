/**
 * Starts a sandbox and has Schemathesis call every operation of it, one contract after the other; then a customer still
 * gets a voucher. Run by `schemathesis.ts` where no network is but loopback.
 *
 * Usage: `node test/other-tools/schemathesis-run.ts <st> <folder to write to> [contract...]`; without names, all of them.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { loadApis } from '../../sandbox/assembly/apis.ts';
import type { Operation } from '../../sandbox/contract/document.ts';
import type { LoadedContract } from '../../sandbox/contract/schemas.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { credentialsOf, sessionOf } from './credentials.ts';
import { controlOf, rewardsOf, someone, taken, withSandbox } from './running.ts';
import { command, Fault } from './tool.ts';

const [, , st = '', work = '', ...named] = argv;

/**
 * What a request within the schema can be refused for is our rules (an unknown customer, a wrong code): that is no
 * fault. All other checks are made.
 */
const left = 'positive_data_acceptance';

/** What is refused, and how; 410 is for a session that ended. */
const refused = [400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 428, 429, 503];

/** The contracts with what is served of each, and where. The control API comes last: it can empty all of it. */
const parts = loadApis()
  .flatMap(({ prefix, parts }) => parts.flatMap(endingApart).map((contract) => ({ prefix, contract })))
  .filter(({ contract }) => named.length === 0 || named.includes(contract.api))
  .sort((one, other) => Number(one.contract.api === 'sandbox') - Number(other.contract.api === 'sandbox'));

const said = await withSandbox(
  { clock: 'running', resolve: async () => [], warn: () => undefined },
  async (sandbox) => {
    for (const { prefix, contract } of parts) await examine(sandbox, prefix, contract);
    await stillDelivers(sandbox);
    return [...new Set(parts.map(({ prefix, contract }) => `${contract.api} at ${prefix}`))].join(', ');
  },
);
console.log(`${said}; then an order was delivered`);

/** A contract without what ends a session, since nothing else could be reached after it, and then that by itself. */
function endingApart(contract: LoadedContract): LoadedContract[] {
  const ends = ({ operationId }: Operation) => operationId === 'leavePortal' || operationId === 'leaveMicrosite';
  const { operations } = contract;
  const halves = [operations.filter((operation) => !ends(operation)), operations.filter(ends)];
  return halves.filter(({ length }) => length > 0).map((half) => ({ ...contract, operations: half }));
}

/** Runs the tool on what is served of a contract. Throws `Fault` with what it found. */
async function examine(sandbox: Sandbox, prefix: string, contract: LoadedContract): Promise<void> {
  const folder = mkdtempSync(join(work, `${contract.api}-`));
  writeFileSync(join(folder, 'served.json'), JSON.stringify(served(contract)));
  writeFileSync(join(folder, 'schemathesis.toml'), await settings(sandbox, contract));
  const options = [
    '--url',
    `${sandbox.origin}${prefix}`,
    '--exclude-checks',
    left,
    '--seed',
    '1',
    '--max-examples',
    '20',
  ];
  const setting = { cwd: folder, env: { NO_COLOR: '1' } };
  await command(st, ['run', 'served.json', '--continue-on-failure', '--warnings', 'off', ...options], setting);
}

/** A contract without what is served elsewhere. */
function served({ bundle, operations }: LoadedContract) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, item] of Object.entries(bundle.paths as typeof paths)) {
    const here = operations.filter((operation) => operation.path === path).map(({ method }) => method.toLowerCase());
    const kept = Object.entries(item).filter(([key]) => here.includes(key) || key === 'parameters');
    if (here.length > 0) paths[path] = Object.fromEntries(kept);
  }
  return { ...bundle, paths };
}

/** The tool's settings: fresh credentials, and what is other here than it takes for granted. */
async function settings(sandbox: Sandbox, { api, operations, securitySchemes }: LoadedContract): Promise<string> {
  const credentials = await credentialsOf(sandbox);
  const session = await sessionOf(sandbox, api);
  // Who is not let in gets 422 from the client, as the interface states (X2).
  const with422 = operations.filter(({ security }) => security.includes('serviceToken'));
  return [
    'max-redirects = 0',
    'request-timeout = 60',
    `[checks.negative_data_rejection]\nexpected-statuses = ${JSON.stringify(refused)}`,
    `[checks.missing_required_header]\nexpected-statuses = ${JSON.stringify(refused)}`,
    // A request that waits for news is answered as late as it asks for.
    '[parameters]\nwait = 0',
    ...(session === undefined ? [] : [`"path.session" = "${session}"`]),
    ...(securitySchemes.length === 0 ? [] : ['[auth.openapi]']),
    ...securitySchemes.map((scheme) => `${scheme} = ${credentials(scheme)}`),
    // A stream has no end, and the next event may never come.
    '[[operations]]\ninclude-operation-id = "streamActivity"\nenabled = false',
    ...with422.flatMap(({ operationId }) => [
      `[[operations]]\ninclude-operation-id = "${operationId}"\nchecks.ignored_auth.enabled = false\nchecks.missing_required_header.enabled = false`,
    ]),
  ].join('\n');
}

/** A customer orders a voucher and has it. Throws `Fault` where not. */
async function stillDelivers(sandbox: Sandbox): Promise<void> {
  const control = controlOf(sandbox);
  taken(await control.POST('/reset', {}));
  const rewards = await rewardsOf(sandbox);
  const body = { uid: someone, line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const { order_id } = taken(await rewards.POST('/v1/partner/redeemptiononskus', { body }));
  taken(await control.POST('/clock/advance', { body: { seconds: 3600 } }));
  const { order } = taken(await control.GET('/orders/{order_id}', { params: { path: { order_id } } }));
  if (order.status !== 'Delivered') throw new Fault(`the order is ${order.status}`);
}
