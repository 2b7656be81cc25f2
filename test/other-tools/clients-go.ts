/** oapi-codegen: clients in Go for every contract compile, and one of them lists the catalogue. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { published } from './contracts.ts';
import { lists } from './listing.ts';
import { command, type Tool } from './tool.ts';

const version = 'v2.8.2';
const runtime = 'github.com/oapi-codegen/runtime@v1.8.0';
const program = fileURLToPath(new URL('listings/list.go', import.meta.url));

export const oapiCodegen: Tool = {
  name: 'oapi-codegen',
  version,
  needs: ['go'],
  file: 'go/oapi-codegen',
  async install(tools) {
    const module = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${version}`;
    await command('go', ['install', module], { cwd: tools, env: { GOBIN: join(tools, 'go') } });
  },
  async run(tools, work) {
    writeFileSync(join(work, 'go.mod'), 'module clients\n\ngo 1.24\n');
    const contracts = published();
    for (const { name, file } of contracts) {
      const called = name.replaceAll('-', '');
      mkdirSync(join(work, called));
      const options = ['-generate', 'types,client', '-package', called, '-o', join(called, 'client.gen.go'), file];
      await command(join(tools, 'go/oapi-codegen'), options, { cwd: work });
    }
    mkdirSync(join(work, 'list'));
    copyFileSync(program, join(work, 'list/list.go'));
    await command('go', ['get', runtime], { cwd: work });
    await command('go', ['mod', 'tidy'], { cwd: work });
    await command('go', ['vet', './...'], { cwd: work });
    await lists('go', ['run', './list'], { cwd: work });
    return `clients for ${contracts.length} contracts, compiled; one signs in and lists`;
  },
};
