/** The SARIF Multitool, with the rules of GitHub's code scanning, on a report that has findings and on one that has none. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, Fault, outcome, root, type Tool } from './tool.ts';

const version = '5.7.0';
const program = 'sarif/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool';
const recorded = join(root, 'test/conformance/recorded/respect.har');

/** A tool needs an address on the web for `informationUri`, and this project has none. */
const known = ['SARIF2005'];

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
    writeFileSync(broken, spoiled());
    const counts = [await validated(recorded, tools, work), await validated(broken, tools, work)];
    return `rules Sarif and Ghas, on reports with ${counts.join(' and ')} results`;
  },
};

/** The recorded capture, with a path that nobody serves and a reply of another status. */
function spoiled(): string {
  const capture = JSON.parse(readFileSync(recorded, 'utf8'));
  const [first, second] = capture.log.entries;
  first.request.url = `${first.request.url}/nowhere`;
  second.response.status = 418;
  return JSON.stringify(capture);
}

/** Has `check` write a report of a capture, and the tool read it. Answers how many results it has. */
async function validated(capture: string, tools: string, work: string): Promise<number> {
  const report = `${capture.split('/').at(-1)}.sarif`;
  const bin = join(root, 'sandbox/bin.js');
  await outcome(process.execPath, [bin, 'check', capture, '--report', `sarif=${join(work, report)}`], { cwd: work });
  const options = ['validate', report, '--rule-kind', 'Sarif;Ghas', '--output', `${report}.rules`];
  const env = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  await outcome(join(tools, program), options, { cwd: work, env });
  const [{ results }] = runs(join(work, `${report}.rules`));
  const broken = results.filter(({ ruleId }) => !known.includes(ruleId));
  if (broken.length > 0) throw new Fault(`${report} breaks rules:\n${JSON.stringify(broken, null, 1)}`);
  return runs(join(work, report))[0].results.length;
}

function runs(file: string): [{ results: { ruleId: string }[] }] {
  return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')).runs;
}
