/** Parameters and headers as a contract describes them, and what a text says under one. */
import { at, follow, type Node } from '../contract/document.ts';

/** A parameter of a request, or a header of a reply. */
export interface Described {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly required: boolean;
  /** JSON pointers in the bundle: of its schema, and of itself. */
  readonly schema: string;
  readonly where: string;
  readonly type: unknown;
}

/** OpenAPI ignores what is said of these as parameters, and of `Content-Type` as a header of a reply. */
const ignored = ['accept', 'content-type', 'authorization'];

/** The parameters of the operation at a JSON pointer. */
export function describedParameters(bundle: Node, pointer: string): readonly Described[] {
  const parameters = (at(bundle, `${pointer}/parameters`) ?? []) as readonly unknown[];
  return parameters
    .map((_, index) => {
      const where = follow(bundle, `${pointer}/parameters/${index}`);
      const { in: place, name } = at(bundle, where) as Node;
      return described(bundle, where, place as Described['in'], String(name));
    })
    .filter((one) => one.in !== 'header' || !ignored.includes(one.name.toLowerCase()));
}

/** The headers of the reply at a JSON pointer. */
export function describedHeaders(bundle: Node, reply: string): readonly Described[] {
  const names = Object.keys((at(bundle, `${reply}/headers`) ?? {}) as Node);
  return names
    .filter((name) => !ignored.includes(name.toLowerCase()))
    .map((name) => described(bundle, follow(bundle, `${reply}/headers/${name}`), 'header', name));
}

function described(bundle: Node, where: string, place: Described['in'], name: string): Described {
  const node = at(bundle, where) as Node;
  const schema = follow(bundle, `${where}/schema`);
  const { type } = (at(bundle, schema) ?? {}) as Node;
  return { in: place, name, required: node.required === true, schema, where, type };
}

/** A whole number as the sandbox takes one, and any number. */
const integer = /^-?(?:0|[1-9]\d{0,14})$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value that a text represents; the text itself if it is not of the type. */
export function parameterValue({ type }: Pick<Described, 'type'>, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'integer') return integer.test(text) ? Number(text) : text;
  if (type === 'number') return number.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return text;
}
