/** The `credentials` command, which prints the credentials of a running sandbox. */
import { type Command, Option } from 'commander';
import type { components } from '../../generated/sandbox/types.ts';
import { columns, writeLines } from '../runtime/terminal.ts';
import { type Act, type RunningSandbox, withSandbox } from './command-line.ts';
import type { Io } from './io.ts';
import { request } from './workspaces.ts';

export { explain } from './workspaces.ts';

type Workspace = components['schemas']['Workspace'];

/** The credentials by their name in the workspace, with their purpose. */
const credentials: Readonly<Record<string, readonly [read: (of: Workspace) => string, about: string]>> = {
  company_secret: [({ credentials: of }) => of.company_secret, 'companyAuth'],
  'basic.username': [({ credentials: of }) => of.basic.username, 'sign-in of customers'],
  'basic.password': [({ credentials: of }) => of.basic.password, 'sign-in of customers'],
  service_token: [({ credentials: of }) => of.service_token, 'calls to the reference client'],
  client_token: [({ settings }) => settings.client_token, 'calls of the platform to the client in use'],
  'general.password': [({ credentials: of }) => of.general.password, 'general API, with the uid of a customer'],
  gateway_token: [({ credentials: of }) => of.gateway_token, 'messages from your server to the gateway'],
  admin_token: [({ admin_token: token }) => token, 'control API and dashboard'],
};

const help = `
Examples:
  rewards-sandbox credentials                                    all credentials of the demo workspace on port 4010
  SECRET=$(rewards-sandbox credentials --field company_secret)   one of them, for a script

Exit codes:
  0 done   1 refused by the sandbox   2 usage error   3 no response from the sandbox`;

/** Adds the `credentials` command to the program. */
export function addTo(program: Command, act: Act): void {
  withSandbox(
    program
      .command('credentials')
      .description('Show the credentials of a workspace of a running sandbox.')
      .addOption(new Option('--field <name>', 'print only this one').choices(Object.keys(credentials)))
      .addHelpText('after', help),
  ).action(act(show));
}

async function show(io: Io, { field, ...running }: RunningSandbox & { readonly field?: string }): Promise<number> {
  const workspace = await request(running, 'Credentials', (client) => client.GET('/workspace'));
  const rows = Object.entries(credentials).map(([name, [read, about]]) => [name, read(workspace), about] as const);
  const [, value] = rows.find(([name]) => name === field) ?? [];
  if (value === undefined) io.stdout.write(columns([['NAME', 'VALUE', 'FOR'], ...rows]));
  else writeLines(io.stdout, value);
  return 0;
}
