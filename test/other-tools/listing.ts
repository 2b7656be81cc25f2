/** The check for every generated client, which signs in as the company and lists the catalogue. */
import { isDeepStrictEqual } from 'node:util';
import { dataOf, rewardsOf, withSandbox } from './running.ts';
import { Fault, outcome, type Setting } from './tool.ts';

/**
 * Runs a program that signs in as the company and prints the items of the first page as JSON. Passes `REWARDS_URL` and
 * `COMPANY_SECRET` in its environment. Throws `Fault` if the items differ from the sandbox's.
 */
export function lists(program: string, args: readonly string[], { cwd, env }: Setting): Promise<void> {
  return withSandbox({ clock: 'frozen' }, async (sandbox) => {
    const { urls, credentials } = sandbox.workspace;
    const where = { REWARDS_URL: urls.rewards, COMPANY_SECRET: credentials.company_secret };
    const { code, stdout, printed } = await outcome(program, args, { cwd, env: { ...env, ...where } });
    if (code !== 0) throw new Fault(`${program} ended with ${code}:\n${printed}`);
    const { items } = dataOf(await (await rewardsOf(sandbox)).GET('/v1/partner/rewards'));
    if (isDeepStrictEqual(JSON.parse(stdout), items)) return;
    throw new Fault(`The client read\n${stdout}\nof\n${JSON.stringify(items)}`);
  });
}
