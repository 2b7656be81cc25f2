/** How a command names the running sandbox that it calls. */
import { type Command, InvalidArgumentError, Option } from 'commander';

export interface RunningSandbox {
  /** Its origin, as http://127.0.0.1:4010. */
  readonly sandbox: string;
  readonly adminToken?: string;
}

/** Adds the flags that say which sandbox it is, and what opens it. */
export function withSandbox(command: Command): Command {
  return command
    .addOption(
      new Option('--sandbox <url>', 'address of the sandbox').default('http://127.0.0.1:4010').argParser(origin),
    )
    .addOption(new Option('--admin-token <token>', 'token for its control API').env('REWARDS_SANDBOX_ADMIN_TOKEN'));
}

/** The message if nothing responds there. */
export function noAnswer({ sandbox }: RunningSandbox, error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error };
  return `No response from the sandbox at ${sandbox} (${cause?.message || message}). Start it with: rewards-sandbox`;
}

function origin(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return url.origin;
}
