import { Command, InvalidArgumentError, Option } from 'commander';
import { journeys } from '../workflows/documents.ts';
import { adaptHelp } from './command-line.ts';

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
  npm run workflows                                  all workflows, in a new sandbox
  npm run workflows -- earn wallet                   two of them
  npm run workflows -- ./my.arazzo.yaml              your own document
  npm run workflows -- --junit workflows.xml         also write JUnit XML, for CI
  npm run workflows -- --har calls.har && npm run check -- calls.har
  npm run workflows -- --sandbox http://127.0.0.1:4010    in a running sandbox, each in a new workspace

Exit codes:
  0 all passed   1 a workflow failed   2 usage error   3 environment: no sandbox, unreadable file, invalid document`;

/** The command, its flags and its help. */
export function workflowsCommand(version: string): Command {
  return new Command('rewards-sandbox workflows')
    .description('Run the journeys of openapi/workflows against a sandbox, with redocly respect.')
    .argument('[workflows...]', 'names of workflows, or your own files (default: all)')
    .version(version)
    .addOption(new Option('--sandbox <url>', 'running sandbox to use (default: a new one)').argParser(url))
    .addOption(
      new Option('--admin-token <token>', 'token for the control API of --sandbox, if it is on another machine').env(
        'REWARDS_SANDBOX_ADMIN_TOKEN',
      ),
    )
    .option('--junit <file>', 'also write the results as JUnit XML')
    .option('--har <file>', 'also write all calls as a HAR, with secrets masked')
    .addHelpText('after', adaptHelp(help))
    .exitOverride();
}

function url(text: string): URL {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return parsed;
}
