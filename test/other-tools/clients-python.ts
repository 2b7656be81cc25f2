/** openapi-python-client and datamodel-code-generator: their output for each contract can be imported, and a client lists the catalogue. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { published } from './contracts.ts';
import { lists } from './listing.ts';
import { installPython, pythonCommand } from './python.ts';
import { command, type Tool } from './tool.ts';

const program = fileURLToPath(new URL('listings/list.py', import.meta.url));

/** The name of a contract as a Python module. */
const moduleOf = (name: string) => name.replaceAll('-', '_');
const loadAll = `import importlib, pathlib
for path in pathlib.Path(".").rglob("*.py"):
    importlib.import_module(".".join(path.with_suffix("").parts))`;

export const pythonClients: Tool = {
  name: 'openapi-python-client',
  version: '0.29.1',
  needs: ['python3'],
  file: 'openapi-python-client/bin/openapi-python-client',
  // It formats its output with ruff, and warns if ruff is missing.
  install: (tools) =>
    installPython(tools, 'openapi-python-client', [`openapi-python-client==${pythonClients.version}`, 'ruff==0.17.6']),
  async run(tools, work) {
    const bin = join(tools, 'openapi-python-client/bin');
    const env = { PATH: `${bin}:${process.env.PATH}`, PYTHONPATH: work };
    const contracts = published();
    for (const { name, file } of contracts) {
      const options = [
        'generate',
        '--path',
        file,
        '--output-path',
        moduleOf(name),
        '--meta',
        'none',
        '--fail-on-warning',
      ];
      await command(join(bin, 'openapi-python-client'), options, { cwd: work, env });
    }
    await command(join(bin, 'python'), ['-c', loadAll], { cwd: work });
    await lists(join(bin, 'python'), [program], { cwd: work, env });
    return `clients for ${contracts.length} contracts, loaded; one signs in and lists`;
  },
};

export const pythonModels: Tool = {
  name: 'datamodel-code-generator',
  version: '0.89.0',
  needs: ['python3'],
  file: 'datamodel-code-generator/bin/datamodel-codegen',
  install: (tools) =>
    installPython(tools, 'datamodel-code-generator', [
      `datamodel-code-generator==${pythonModels.version}`,
      'pydantic==2.14.3',
    ]),
  async run(tools, work) {
    const bin = (called: string) => pythonCommand(tools, 'datamodel-code-generator', called);
    mkdirSync(join(work, 'models'));
    const contracts = published();
    for (const { name, file } of contracts) {
      const output = join('models', `${moduleOf(name)}.py`);
      const kinds = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel'];
      await command(bin('datamodel-codegen'), ['--input', file, '--output', output, ...kinds], { cwd: work });
    }
    await command(bin('python'), ['-c', loadAll], { cwd: work });
    return `models for ${contracts.length} contracts, loaded`;
  },
};
