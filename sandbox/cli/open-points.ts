/**
 * The `open-points` command, which lists the points that the interface leaves open. It also lists the calls of a
 * running sandbox or of a capture that rely on them.
 */
import { type Command, Option } from 'commander';
import type { ServerAddresses } from '../conformance/har.ts';
import { type OpenPoint, type OpenPointsAsk, openPointFormats, openPoints } from '../conformance/open-points.ts';
import { version } from '../version.ts';
import { checkerFor, explain as explainCapture, readCapture, serverOption } from './check.ts';
import { type Act, type RunningSandbox, withSandbox } from './command-line.ts';
import type { Io } from './io.ts';
import { explain as explainRequest, Failed, request } from './workspaces.ts';

interface OpenPointsFlags extends RunningSandbox {
  readonly capture?: string;
  readonly server?: ServerAddresses;
  readonly reliedOn?: true;
  readonly blocking?: true;
  readonly unsettled?: true;
  readonly answers?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly markdown?: boolean;
}

const help = `
Examples:
  rewards-sandbox open-points                              all points, with the calls of the sandbox on port 4010 that rely on them
  rewards-sandbox open-points --relied-on --unsettled      points that your code relies on and nobody has answered
  rewards-sandbox open-points --relied-on --markdown > questions.md    a questionnaire for the other side
  rewards-sandbox open-points --capture capture.har --csv  from a capture, in any format that check reads; - reads stdin

A call relies on a point if it has a field, a parameter, a credential or a status that rests on the point, if it reaches
a limit of the point, or if a rule of the point checks it.

Exit codes:
  0 done   1 refused by the sandbox   2 usage error   3 no response from the sandbox, or unreadable capture`;

/** Adds the `open-points` command to the program. */
export function addTo(program: Command, act: Act): void {
  const formats = ['json', 'csv', 'markdown'];
  const format = (name: string, text: string) =>
    new Option(`--${name}`, text).conflicts(formats.filter((other) => other !== name));
  withSandbox(
    program
      .command('open-points')
      .description('List the points that the interface leaves open, and the calls that rely on them.')
      .option('--capture <file>', 'read the calls of this capture instead, or of a folder of captures; - reads stdin')
      .addOption(serverOption())
      .option('--relied-on', 'only points that calls rely on')
      .option('--blocking', 'only points that block going live')
      .option('--unsettled', 'only points that nobody has answered')
      .option('--answers <file>', 'with --capture: YAML file with the answers; a sandbox uses its own')
      .addOption(format('json', 'print one JSON array'))
      .addOption(format('csv', 'print CSV'))
      .addOption(format('markdown', 'print a questionnaire for the other side'))
      .addHelpText('after', help),
  ).action(act(list));
}

/** Prints a one-line error message. Returns the exit code. */
export function explain(io: Io, error: unknown): number {
  return error instanceof Failed ? explainRequest(io, error) : explainCapture(io, error);
}

async function list(io: Io, flags: OpenPointsFlags, self: Command): Promise<number> {
  const { capture, answers, reliedOn, blocking, unsettled, json, csv, markdown } = flags;
  if (answers !== undefined && capture === undefined) self.error('error: --answers requires --capture');
  const ask: OpenPointsAsk = {
    ...(reliedOn && { relied_on: 'yes' }),
    ...(blocking && { blocks: 'yes' }),
    ...(unsettled && { answered: 'no' }),
  };
  const points = await pointsOf(io, flags, ask);
  const format = csv ? 'csv' : markdown ? 'markdown' : 'table';
  io.stdout.write(json ? `${JSON.stringify(points)}\n` : openPointFormats[format](points));
  return 0;
}

async function pointsOf(io: Io, { capture, server = {}, answers, ...running }: OpenPointsFlags, ask: OpenPointsAsk) {
  if (capture !== undefined) {
    const checker = checkerFor({ ...(answers !== undefined && { answers }) });
    const book = await readCapture(io, capture, checker, { version, addresses: server });
    return openPoints(book.report.open_points, checker.answers, ask);
  }
  const found = await request(running, 'Open points', (client) =>
    client.GET('/open-points', { params: { query: ask } }),
  );
  return (found?.items ?? []) as readonly OpenPoint[];
}
