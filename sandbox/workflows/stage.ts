/** The test environment of workflows: a sandbox, a workspace for each document, and a webhook receiver. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandboxClient } from '../../generated/index.ts';
import { EnvironmentError, type Scene } from './respect.ts';

/** A running sandbox, and the token that its control API requires from other machines. */
interface ExistingSandbox {
  readonly url: URL;
  readonly adminToken?: string;
}

/** An environment that runs workflows in temporary workspaces. */
export interface Stage {
  /**
   * Runs `act` in a new workspace with a frozen clock, then removes the workspace. Rejects with `EnvironmentError` if the
   * sandbox cannot create a workspace.
   */
  inWorkspace<T>(act: (scene: Scene) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a stage in the given sandbox, or starts an in-memory sandbox on a free port. */
export async function openStage(existing?: ExistingSandbox): Promise<Stage> {
  const { origin, token, close } = await sandboxOf(existing);
  const receiver = await openReceiver();
  const control = (admin?: string) =>
    createSandboxClient({ baseUrl: `${origin}/sandbox/v1`, ...(admin !== undefined && { token: admin }) });
  return {
    async inWorkspace(act) {
      const made = await control(token)
        .POST('/workspaces', { body: { clock: 'frozen' } })
        .catch((error) => {
          throw new EnvironmentError(
            `No response from a sandbox at ${origin} (${reason(error)}). Start one, or omit --sandbox.`,
          );
        });
      if (made.data === undefined) {
        const said = made.error?.message ?? 'it is not a rewards sandbox';
        throw new EnvironmentError(
          `The sandbox at ${origin} refused to create a workspace: ${made.response.status}, ${said}`,
        );
      }
      const { id, admin_token: adminToken, credentials } = made.data;
      const inputs = {
        companySecret: credentials.company_secret,
        micrositeUser: credentials.basic.username,
        micrositePassword: credentials.basic.password,
        adminToken,
        receiver: receiver.url,
      };
      try {
        return await act({ origin, inputs });
      } finally {
        await control(adminToken).DELETE('/workspaces/{id}', { params: { path: { id } } });
      }
    },
    async close() {
      await Promise.all([close(), receiver.close()]);
    },
  };
}

/** Returns the given sandbox, or starts one. The module is loaded lazily, so that help and usage errors appear immediately. */
async function sandboxOf(existing: ExistingSandbox | undefined) {
  if (existing !== undefined) return { origin: existing.url.origin, token: existing.adminToken, close: async () => {} };
  const { startSandbox } = await import('../sandbox.ts');
  const { origin, workspace, close } = await startSandbox({ port: 0, clock: 'frozen' });
  return { origin, token: workspace.admin_token, close };
}

/** Starts a server that accepts every request with 204. */
async function openReceiver() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/catalogue`,
    close: () => new Promise<void>((closed) => server.close(() => closed()).closeAllConnections()),
  };
}

function reason(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
