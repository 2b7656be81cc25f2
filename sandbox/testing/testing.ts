import { createSandboxClient } from '../../generated/index.ts';
import { type SandboxOptions, startSandbox } from '../sandbox.ts';
import { dataOf, type TestWorkspace, testWorkspace } from './workspace.ts';

export type { TestWorkspace } from './workspace.ts';

/** A sandbox in this process, for the tests of a file or of a run. */
export interface TestSandbox {
  /** The address that it listens on. */
  readonly origin: string;
  /**
   * Runs a test with a workspace of its own, on a frozen clock. Rejects if the test rejects, or if the ledgers differ at
   * its end (`TestWorkspace.assertBooksEven`). The workspace is removed in either case.
   */
  readonly withWorkspace: (test: (workspace: TestWorkspace) => unknown) => Promise<void>;
  /** Ends it. */
  readonly close: () => Promise<void>;
}

/** As many as fit into memory: each test removes its own. */
const workspaces = 2000;

/** Starts a sandbox for tests, on a free port and in memory. Options are those of `startSandbox`, and it rejects as that does. */
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
        // One that the test has removed itself is gone already; that must not hide what the test says.
        await control.DELETE('/workspaces/{id}', { params: { path: { id: workspace.id } } });
      }
    },
  };
}
