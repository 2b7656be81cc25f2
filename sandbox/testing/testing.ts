import { createSandboxClient } from '../../generated/index.ts';
import { type SandboxOptions, startSandbox } from '../sandbox.ts';
import { dataOf, type TestWorkspace, testWorkspace } from './workspace.ts';

export type { TestWorkspace } from './workspace.ts';

/** An in-process sandbox for the tests of one file or one run. */
export interface TestSandbox {
  /** The origin that the sandbox listens on. */
  readonly origin: string;
  /**
   * Runs a test in its own workspace with a frozen clock. Rejects if the test rejects, or if the ledgers differ afterwards
   * (see `TestWorkspace.assertBooksEven`). The workspace is removed in either case.
   */
  readonly withWorkspace: (test: (workspace: TestWorkspace) => unknown) => Promise<void>;
  /** Stops the sandbox. */
  readonly close: () => Promise<void>;
}

/** Maximum number of workspaces. It is high, because each test removes its own workspace. */
const workspaces = 2000;

/** Starts an in-memory sandbox for tests on a free port. Accepts the options of `startSandbox` and rejects for the same reasons. */
export async function sandboxForTests(options: Omit<SandboxOptions, 'publicUrl'> = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ port: 0, workspaces, ...options });
  const { urls, admin_token: token } = sandbox.workspace;
  const control = createSandboxClient({ baseUrl: urls.sandbox, token });
  return {
    origin: sandbox.origin,
    close: sandbox.close,
    async withWorkspace(test) {
      const workspace = testWorkspace(dataOf(await control.POST('/workspaces', { body: { clock: 'frozen' } })));
      try {
        await test(workspace);
        await workspace.assertBooksEven();
      } finally {
        // The test may have removed the workspace already. Ignore that error, so that it does not hide the result of the test.
        await control.DELETE('/workspaces/{id}', { params: { path: { id: workspace.id } } });
      }
    },
  };
}
