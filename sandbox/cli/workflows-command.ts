import { Command, InvalidArgumentError, Option } from 'commander';
import { journeys } from '../workflows/documents.ts';
import { asTyped } from './as-typed.ts';

export interface Flags {
  readonly sandbox?: URL;
  readonly adminToken?: string;
  readonly junit?: string;
  readonly har?: string;
}

const help = `
Workflows:
  ${journeys.join(', ')}

Examples:
  npm run workflows                                  all of them, in a fresh sandbox
  npm run workflows -- earn wallet                   these two
  npm run workflows -- ./my.arazzo.yaml              a document of your own
  npm run workflows -- --junit workflows.xml         also as JUnit XML, for CI
  npm run workflows -- --har calls.har && npm run check -- calls.har
  npm run workflows -- --sandbox http://127.0.0.1:4010    in a sandbox that runs; each in a new workspace of it

Exit codes:
  0 all passed   1 a workflow failed   2 usage   3 environment: no sandbox, a file, a document that is not valid`;

/** The command, its flags and its help. */
export function workflowsCommand(version: string): Command {
  return new Command('rewards-sandbox workflows')
    .description('Run the journeys of openapi/workflows against a sandbox, with redocly respect.')
    .argument('[workflows...]', 'names of workflows, or files of your own (default: all)')
    .version(version)
    .addOption(new Option('--sandbox <url>', 'a sandbox that runs already').argParser(url))
    .addOption(
      new Option('--admin-token <token>', "opens that sandbox's control API from another machine").env(
        'REWARDS_SANDBOX_ADMIN_TOKEN',
      ),
    )
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--har <file>', 'also write every call and reply as a HAR, secrets masked')
    .addHelpText('after', asTyped(help))
    .exitOverride();
}

function url(text: string): URL {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new InvalidArgumentError('Give an http or https URL.');
  return parsed;
}
