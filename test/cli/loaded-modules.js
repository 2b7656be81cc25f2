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
/** What was loaded before the first line of output. */
let ready = {};
const write = process.stdout.write;
process.stdout.write = (...text) => {
  process.stdout.write = write;
  ready = { loaded: [...loaded], ofNode: [...process.moduleLoadList] };
  return process.stdout.write(...text);
};
process.on('exit', () => {
  writeFileSync(process.env.LOADED_MODULES, JSON.stringify({ ...ready, atEnd: loaded }));
});
