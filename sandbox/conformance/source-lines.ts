import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path/posix';
import type { Document, LineCounter, Node as YamlNode } from 'yaml';
import { at, escapePointer, type Node } from '../contract/document.ts';
import { getOrCreate } from '../runtime/caches.ts';

const require = createRequire(import.meta.url);
/** Returns the YAML parser. It is loaded on demand, because most runs have no finding and do not list open points. */
export const yaml = () => require('yaml') as typeof import('yaml');

interface Source {
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/**
 * Locates parts of a bundle in the YAML files that it was generated from, by walking bundle and source in parallel. If both contain
 * a reference, the walk records the new name of the reference in the bundle. If only the source has one, the bundle contains the
 * inlined target.
 */
export class SourceLines {
  readonly #root: URL;
  readonly #bundle: Node;
  readonly #api: string;
  readonly #sources = new Map<string, Source>();
  /** The lines in the hand-written contracts, by JSON pointer of the bundle. */
  readonly #found = new Map<string, { readonly file: string; readonly line: number }>();
  #walked = false;

  /** `root` is the folder that contains `openapi/`. */
  constructor(root: URL, api: string, bundle: Node) {
    this.#root = root;
    this.#api = api;
    this.#bundle = bundle;
  }

  /**
   * Returns the source line of the rule at a JSON pointer of the bundle. If the rule has no line of its own, returns the line of
   * its closest ancestor.
   */
  at(pointer: string) {
    if (!this.#walked) {
      const source = this.#source(`openapi/${this.#api}.yaml`);
      this.#walk('', this.#bundle, source.document.contents, source);
      this.#walked = true;
      // The documents are large and are not needed again.
      this.#sources.clear();
    }
    for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
      const found = this.#found.get(place);
      if (found !== undefined) return found;
    }
    return { file: `openapi/${this.#api}.yaml`, line: 1 };
  }

  #source(file: string): Source {
    return getOrCreate(this.#sources, file, () => {
      const { LineCounter, parseDocument } = yaml();
      const lines = new LineCounter();
      const document = parseDocument(readFileSync(new URL(file, this.#root), 'utf8'), { lineCounter: lines });
      return { file, document, lines };
    });
  }

  #walk(pointer: string, part: unknown, written: YamlNode | null | undefined, source: Source): void {
    if (written === null || written === undefined || part === null || typeof part !== 'object') return;
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isAlias(written)) return this.#walk(pointer, part, written.resolve(source.document), source);
    const reference = isMap(written) ? written.get('$ref') : undefined;
    if (typeof reference === 'string') return this.#follow(pointer, part as Node, reference, source);
    for (const [key, child] of Object.entries(part)) {
      const below = `${pointer}/${escapePointer(key)}`;
      if (isMap(written)) {
        const pair = written.items.find(({ key: name }) => isScalar(name) && String(name.value) === key);
        this.#note(below, pair?.key as YamlNode | undefined, source);
        this.#walk(below, child, pair?.value as YamlNode | undefined, source);
      } else if (isSeq(written)) {
        const item = written.items[Number(key)] as YamlNode | undefined;
        this.#note(below, item, source);
        this.#walk(below, child, item, source);
      }
    }
  }

  #follow(pointer: string, part: Node, reference: string, source: Source): void {
    const [file = '', place = ''] = reference.split('#');
    const target = file === '' ? source : this.#source(join(dirname(source.file), file));
    const written = target.document.getIn(path(place), true) as YamlNode | undefined;
    const renamed = part.$ref;
    if (typeof renamed !== 'string') return this.#walk(pointer, part, written, target);
    const name = renamed.slice(1);
    if (this.#found.has(name)) return;
    this.#note(name, written, target);
    this.#walk(name, at(this.#bundle, name), written, target);
  }

  #note(pointer: string, node: YamlNode | undefined, { file, lines }: Source): void {
    const [start] = node?.range ?? [];
    if (start === undefined || this.#found.has(pointer)) return;
    this.#found.set(pointer, { file, line: lines.linePos(start).line });
  }
}

/** Returns the decoded segments of a JSON pointer. */
function path(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
}
