/** Lighthouse: its scores of each kind of page, as on a phone. A busy machine lowers them, so it does not run in CI. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { clientsOf } from '../../sandbox/testing/clients.ts';
import { enter } from '../harness/visitor.ts';
import { command, Fault, root, type Tool } from './tool.ts';

const categories = ['performance', 'accessibility', 'best-practices'] as const;
type Scores = Readonly<Record<(typeof categories)[number], number>>;

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

const all: Scores = { performance: 95, accessibility: 95, 'best-practices': 95 };
/** Redoc renders a reference page, so its performance target is lower. */
const ofReference: Scores = { ...all, performance: 80 };
const rounds = 3;

/** The pages to measure, with the minimum scores. */
async function pages(sandbox: Sandbox): Promise<readonly (readonly [url: string, least: Scores])[]> {
  const { origin } = sandbox;
  const session = await enter(clientsOf(sandbox.workspace, undefined), 'CUST0001');
  const screens = ['', '/traffic', '/redemptions', '/ledger'];
  return [
    [`${session}rewards`, all],
    [`${session}history`, all],
    [`${origin}/microsite`, all],
    ...screens.map((screen) => [`${origin}/dashboard${screen}`, all] as const),
    [`${origin}/docs/`, all],
    [`${origin}/docs/reference/rewards.html`, ofReference],
  ];
}

/** Measures a page once; each score is from 0 to 100. */
async function scores(lighthouse: string, url: string, work: string): Promise<Scores> {
  const file = join(work, 'report.json');
  // The dashboard streams the log as long as it is open, so it never finishes loading.
  const options = [
    '--quiet',
    '--max-wait-for-load=8000',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories}`,
  ];
  const env = { CHROME_PATH: '/usr/bin/chromium' };
  await command(process.execPath, [lighthouse, url, ...options, `--chrome-flags=${flags.join(' ')}`], {
    cwd: work,
    env,
  });
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const of = (name: string) => Math.round(report.categories[name].score * 100);
  return Object.fromEntries(categories.map((name) => [name, of(name)])) as Scores;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Measures a page, prints its medians, and returns those below the minimum. */
async function measurePage(lighthouse: string, url: string, least: Scores, work: string): Promise<readonly string[]> {
  const results: Scores[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await scores(lighthouse, url, work));
  const medians = categories.map((name) => [name, median(results.map((each) => each[name]))] as const);
  const path = new URL(url).pathname.replace(/\/s\/[^/]+/, '/s/...');
  console.log(`  ${path}: ${medians.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  return medians.flatMap(([name, value]) =>
    value < least[name] ? [`${path}: ${name} ${value}, not ${least[name]}`] : [],
  );
}

export const lighthouse: Tool = {
  name: 'lighthouse',
  version: '13.5.0',
  needs: ['npm', 'chromium'],
  file: 'lighthouse/node_modules/lighthouse/cli/index.js',
  async install(tools) {
    const options = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--prefix', join(tools, 'lighthouse')];
    await command('npm', [...options, 'lighthouse@13.5.0'], { cwd: tools });
  },
  async run(tools, work) {
    const docs = join(root, 'docs/site');
    if (!existsSync(docs)) await command('npm', ['run', 'docs'], { cwd: root });
    const sandbox = await startSandbox({ port: 0, docs });
    try {
      const missed: string[] = [];
      for (const [url, least] of await pages(sandbox))
        missed.push(...(await measurePage(join(tools, this.file), url, least, work)));
      if (missed.length > 0) throw new Fault(`Medians of ${rounds} rounds are too low:\n${missed.join('\n')}`);
    } finally {
      await sandbox.close();
    }
    return '9 pages, at least 95 each, a page of the reference 80 in performance';
  },
};
