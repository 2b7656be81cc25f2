/** Where the program is that runs the documents. The package does not bring it: it would be a sixth of what is installed. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The version that this project is tested with; `package.json` names it too. */
export const redoclyVersion = '2.77.0';

/** How it is started. */
export interface Program {
  /** Node. */
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its file. */
  readonly cli: string;
}

/** Its file, looked for from each of these places on, as Node looks for a package. Throws `EnvironmentError` where it is not there. */
export function redoclyFrom(...places: readonly (string | URL)[]): string {
  for (const place of places) {
    try {
      return join(dirname(createRequire(place).resolve('@redocly/cli/package.json')), 'bin/cli.js');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new EnvironmentError(
    `Workflows need @redocly/cli, which is not installed: npm install --save-dev @redocly/cli@${redoclyVersion}`,
  );
}

/** Nothing could be run: why, and what can be done. */
export class EnvironmentError extends Error {
  /** The message, line by line. */
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}
