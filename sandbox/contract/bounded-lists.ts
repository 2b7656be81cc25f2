import { createRequire } from 'node:module';
import type { Ajv2020, CodeKeywordDefinition, KeywordCxt } from 'ajv/dist/2020.js';

/** After this many errors in the items of one list, its later items are not validated. */
const mostErrors = 200;

const require = createRequire(import.meta.url);

/**
 * Makes a validator that collects all errors end a list early where its items have very many. Ajv copies the errors
 * found so far for each broken item of a list, so that their time would grow with the square of the number of items.
 * The count begins with the list: a list has the same errors wherever it is validated.
 */
export function boundLists(ajv: Ajv2020): void {
  // Loaded with the validator: a start needs neither.
  const { _ } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: names } = require('ajv/dist/compile/names.js') as typeof import('ajv/dist/compile/names.js');
  const { alwaysValidSchema, Type } = require('ajv/dist/compile/util.js') as typeof import('ajv/dist/compile/util.js');
  const original = ajv.getKeyword('items') as CodeKeywordDefinition;
  const code = (context: KeywordCxt) => {
    const { gen, data, it, schema, parentSchema } = context;
    if (parentSchema.prefixItems !== undefined || alwaysValidSchema(it, schema)) return original.code(context);
    it.items = true;
    const before = gen.const('before', names.errors);
    const valid = gen.name('valid');
    gen.forRange('i', 0, gen.const('length', _`${data}.length`), (index) => {
      context.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, valid);
      gen.if(_`!${valid} && ${names.errors} - ${before} > ${mostErrors}`, () => gen.break());
    });
  };
  ajv.removeKeyword('items');
  ajv.addKeyword({ ...original, code });
}
