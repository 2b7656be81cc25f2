/** Creates a Python environment for each tool that is written in Python. */
import { join } from 'node:path';
import { command } from './tool.ts';

/** Creates an environment that contains exactly these packages. */
export async function installPython(tools: string, name: string, packages: readonly string[]): Promise<void> {
  await command('python3', ['-m', 'venv', name], { cwd: tools });
  await command(join(tools, name, 'bin/pip'), ['install', '--quiet', ...packages], { cwd: tools });
}

/** Returns the path of a command in an environment. */
export function pythonCommand(tools: string, name: string, called: string): string {
  return join(tools, name, 'bin', called);
}
