/** The SARIF Multitool, with the rules of GitHub's code scanning, on a report with findings and on one without. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, Fault, outcome, root, type Tool } from './tool.ts';

const version = '5.7.0';
const program = 'sarif/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool';
const recorded = join(root, 'test/conformance/recorded/respect.har');

/** Known issue: a tool needs a public URL for `informationUri`, and this project has none. */
const ignoredRules = ['SARIF2005'];

export const sarifMultitool: Tool = {
  name: 'sarif-multitool',
  version,
  needs: ['npm'],
  file: program,
  async install(tools) {
    const options = ['install', '--ignore-scripts', '--no-save', '--prefix', join(tools, 'sarif')];
    await command('npm', [...options, `@microsoft/sarif-multitool-linux@${version}`], { cwd: tools });
    chmodSync(join(tools, program), 0o755);
  },
  async run(tools, work) {
    const broken = join(work, 'broken.har');
    writeFileSync(broken, breakCapture());
    const counts = [await countResults(recorded, tools, work), await countResults(broken, tools, work)];
    return `rules Sarif and Ghas, on reports with ${counts.join(' and ')} results`;
  },
};

/** The recorded capture, with an unknown path and a reply with another status. */
function breakCapture(): string {
  const capture = JSON.parse(readFileSync(recorded, 'utf8'));
  const [first, second] = capture.log.entries;
  first.request.url = `${first.request.url}/nowhere`;
  second.response.status = 418;
  return JSON.stringify(capture);
}

/** Lets `check` write a report of a capture, and the tool read it. Returns the number of results. */
async function countResults(capture: string, tools: string, work: string): Promise<number> {
  const report = `${capture.split('/').at(-1)}.sarif`;
  const bin = join(root, 'sandbox/bin.js');
  await outcome(process.execPath, [bin, 'check', capture, '--report', `sarif=${join(work, report)}`], { cwd: work });
  const options = ['validate', report, '--rule-kind', 'Sarif;Ghas', '--output', `${report}.rules`];
  const env = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  await outcome(join(tools, program), options, { cwd: work, env });
  const [{ results }] = runs(join(work, `${report}.rules`));
  const broken = results.filter(({ ruleId }) => !ignoredRules.includes(ruleId));
  if (broken.length > 0) throw new Fault(`${report} breaks rules:\n${JSON.stringify(broken, null, 1)}`);
  return runs(join(work, report))[0].results.length;
}

function runs(file: string): [{ results: { ruleId: string }[] }] {
  return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')).runs;
}
