/** What a start prints about the client: which server plays it, and whether that server can authenticate the platform. */
import type { Sandbox } from '../sandbox.ts';

type Workspace = Pick<Sandbox['workspace'], 'urls' | 'settings' | 'credentials'>;

/** The client server that the platform calls, and what the reference client is there for. */
export function clientLines({ urls, settings }: Workspace): readonly string[] {
  if (settings.client_url === urls.client)
    return [`  Client API    ${urls.client}   (reference client, until you connect your own server)`];
  return [
    `  Your server   ${settings.client_url}   (called by the platform as the client)`,
    `  Client API    ${urls.client}   (reference client, not in use; for comparison)`,
  ];
}

/** Warns that a server of the operator's own is shown a token that only the sandbox knows; undefined where it has one. */
export function missingToken({ urls, settings, credentials }: Workspace): string | undefined {
  const isOwn = settings.client_url !== urls.client;
  if (!isOwn || settings.client_token !== credentials.service_token) return undefined;
  return `No --client-token was given, so ${settings.client_url} gets the sandbox's own service token and will probably refuse it. Use --client-token with the token that your server expects.`;
}
