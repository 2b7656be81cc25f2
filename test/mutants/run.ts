import type { Mutant } from './mutant.ts';
import { type Planned, plan } from './plan.ts';
import { root } from './project-copy.ts';
import { Sessions } from './sessions.ts';
import { isNightly } from './test-files.ts';
import { failures, judge, type TestRun, type Verdict } from './verdict.ts';

/** Seconds that a test may take, and one run. */
const limits = { test: 60, hangingTest: 15, run: 300 } as const;
/** How much longer tests of the nightly suite may take. */
const nightlyFactor = 3;

export interface Tested extends Verdict {
  readonly mutant: Mutant;
  readonly seconds: number;
}

/** The list of mutants does not fit the project, or tests fail without a mutant. */
export class ListError extends Error {}

/** How mutants are tested. */
export interface Options {
  readonly folder?: string;
  readonly workers?: number;
  readonly limitSeconds?: number;
  /** Whether to run the named tests without a mutant first. They must pass. */
  readonly baseline?: boolean;
  readonly signal?: AbortSignal;
  /** Receives each result when its test ends. */
  readonly report?: (tested: Tested) => void;
}

/** Tests mutants, one at a time in each worker. Throws a ListError where one does not fit the project. */
export async function testMutants(mutants: readonly Mutant[], options: Options = {}): Promise<Tested[]> {
  const { folder = root, workers = 2, report = () => {} } = options;
  const { planned, complaints } = plan(mutants, folder);
  if (complaints.length > 0) throw new ListError(complaints.join('\n'));
  const results = new Map<Mutant, Tested>();
  const failing: string[] = [];
  await using opened = new AsyncDisposableStack();
  const testers = Array.from({ length: workers }, () => new Tester(opened.use(new Sessions(folder)), options));
  const share = <T>(items: Iterable<T>, work: (tester: Tester, item: T) => Promise<void>) => {
    const queue = [...items];
    const drain = async (tester: Tester) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(tester, next);
    };
    return Promise.all(testers.map(drain));
  };
  if (options.baseline === true) {
    const files = new Set(planned.flatMap(({ tests }) => tests));
    await share(files, async (tester, file) => void failing.push(...failures(await tester.runFile(file))));
    if (failing.length > 0) throw new ListError(`tests fail without a mutant:\n${failing.join('\n')}`);
  }
  await share(planned, async (tester, each) => {
    const start = performance.now();
    const tested = { ...(await tester.test(each)), mutant: each.mutant, seconds: (performance.now() - start) / 1000 };
    results.set(each.mutant, tested);
    report(tested);
  });
  return mutants.flatMap((mutant) => results.get(mutant) ?? []);
}

/** Tests one mutant after the other, in sessions of its own. */
class Tester {
  readonly #sessions: Sessions;
  readonly #options: Options;

  constructor(sessions: Sessions, options: Options) {
    this.#sessions = sessions;
    this.#options = options;
  }

  async test(planned: Planned): Promise<Verdict> {
    const { mutant, tests } = planned;
    const run = async () => judge(mutant, await this.#run(tests, planned, mutant.only));
    const first = await run();
    // On a busy machine tests fail and run out of time by themselves.
    return ['crashed', 'timed out'].includes(first.outcome) ? await run() : first;
  }

  /** Runs a test file without a mutant. */
  runFile(file: string): Promise<TestRun> {
    return this.#run([file]);
  }

  #run(tests: readonly string[], planned?: Planned, only?: string): Promise<TestRun> {
    const { limitSeconds = limits.run, signal = new AbortController().signal } = this.#options;
    const factor = tests.some(isNightly) ? nightlyFactor : 1;
    // A mutant that hangs does not need the time of one whose test only fails.
    const testSeconds = factor * (planned?.mutant.hangs && only !== undefined ? limits.hangingTest : limits.test);
    const request = { tests, only, testSeconds, ...(planned && { changed: planned.place }) };
    const bounds = { limitSeconds: limitSeconds * factor, signal };
    return this.#sessions.run(request, planned?.mutant.onDisk === true, bounds);
  }
}
