/** The command line of `init`: its flags and help. */
import { Command, Option } from 'commander';

/** The languages there is a server in, each in its folder of `examples/`, and how it is started there. */
export const languages = {
  node: ['node server.js'],
  python: ['python3 server.py'],
  java: ['javac -d out src/*.java', 'java -cp out Server'],
  go: ['go build -o server .', './server'],
  php: ['php serve.php'],
  csharp: ['dotnet run'],
} as const;

const help = `
Examples:
  rewards-sandbox init --lang python            into the folder client-server (default)
  rewards-sandbox init --lang go points-api     into another folder, new or empty

Exit codes:
  0 copied   2 usage error, or the folder is not empty   3 environment: cannot write to the folder`;

/** The command. */
export function initCommand(version: string): Command {
  return new Command('rewards-sandbox init')
    .description('Copy a client server to start from: small and readable, with a README, tests and a CI file.')
    .argument('[folder]', 'target folder', 'client-server')
    .addOption(
      new Option('--lang <language>', 'programming language').choices(Object.keys(languages)).makeOptionMandatory(),
    )
    .version(version)
    .addHelpText('after', help)
    .exitOverride();
}
