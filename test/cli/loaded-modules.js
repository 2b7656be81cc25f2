/** A module to preload into a command. When the command ends, the module writes a list of all loaded modules to a file. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
/** The modules that were loaded before the first line of output. */
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
