/** Preloaded into a command: notes in a file, when it ends, what was loaded. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => {
  writeFileSync(process.env.LOADED_MODULES, JSON.stringify({ loaded, ofNode: process.moduleLoadList }));
});
