import { at, follow, type Node } from './document.ts';

/** The fields that a request schema knows. A request is cut down to them, so that nothing else is stored (OP-38). */
export interface Shape {
  readonly fields: ReadonlyMap<string, Shape>;
  readonly items: Shape | undefined;
}

/** Bundles do not change: each shape is made once, for all workspaces. */
const cache = new WeakMap<Node, Map<string, Shape>>();

/** The shape of the schema at a JSON pointer: its own properties and those of all its `allOf` branches. */
export function shapeOf(bundle: Node, pointer: string): Shape {
  const shapes = cache.get(bundle) ?? new Map<string, Shape>();
  cache.set(bundle, shapes);
  const shape = shapes.get(pointer) ?? makeShape(bundle, pointer);
  shapes.set(pointer, shape);
  return shape;
}

function makeShape(bundle: Node, pointer: string): Shape {
  const place = follow(bundle, pointer);
  const node = at(bundle, place) as Node | undefined;
  const fields = new Map<string, Shape>();
  for (const name of Object.keys((node?.properties ?? {}) as Node)) {
    fields.set(name, shapeOf(bundle, `${place}/properties/${name}`));
  }
  const branches = (node?.allOf ?? []) as readonly Node[];
  branches.forEach((_, index) => {
    for (const [name, shape] of shapeOf(bundle, `${place}/allOf/${index}`).fields) fields.set(name, shape);
  });
  return { fields, items: node?.items === undefined ? undefined : shapeOf(bundle, `${place}/items`) };
}

/** A copy of `value` with the fields of the shape only. Pointers of the others are added to `unknown`. */
export function pickFields(value: unknown, shape: Shape, unknown: string[], pointer = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = shape;
    if (items === undefined) return value;
    return value.map((item, index) => pickFields(item, items, unknown, `${pointer}/${index}`));
  }
  if (value === null || typeof value !== 'object' || shape.fields.size === 0) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const fieldShape = shape.fields.get(name);
    if (fieldShape === undefined) unknown.push(`${pointer}/${name}`);
    else if (typeof field !== 'object') copy[name] = field;
    else copy[name] = pickFields(field, fieldShape, unknown, `${pointer}/${name}`);
  }
  return copy;
}
