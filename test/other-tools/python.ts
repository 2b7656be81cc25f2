/** The Python environment that the tools of Python are installed in, one for each tool. */
import { join } from 'node:path';
import { command } from './tool.ts';

/** Makes an environment with exactly these packages. */
export async function installPython(tools: string, name: string, packages: readonly string[]): Promise<void> {
  await command('python3', ['-m', 'venv', name], { cwd: tools });
  await command(join(tools, name, 'bin/pip'), ['install', '--quiet', ...packages], { cwd: tools });
}

/** Where a command of an environment is. */
export function pythonCommand(tools: string, name: string, called: string): string {
  return join(tools, name, 'bin', called);
}
