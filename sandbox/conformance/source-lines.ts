import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path/posix';
import type { Document, LineCounter, Node as YamlNode } from 'yaml';
import { at, escapePointer, type Node } from '../contract/document.ts';

const require = createRequire(import.meta.url);
/** The reader of YAML, loaded when it is first needed: most runs of a sandbox have no finding, and ask for no open point. */
export const yaml = () => require('yaml') as typeof import('yaml');

/** A place in the hand-written contracts. */
interface SourceLine {
  readonly file: string;
  readonly line: number;
}

interface Source {
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/**
 * Where the parts of a bundle stand in the YAML that it was made from. Bundle and source are walked side by side: where
 * both have a reference, the bundle's new name for it is learnt; where only the source has one, it was pulled in there.
 */
export class SourceLines {
  readonly #root: URL;
  readonly #bundle: Node;
  readonly #api: string;
  readonly #sources = new Map<string, Source>();
  readonly #found = new Map<string, SourceLine>();
  #walked = false;

  /** `root` is the folder that holds `openapi/`. */
  constructor(root: URL, api: string, bundle: Node) {
    this.#root = root;
    this.#api = api;
    this.#bundle = bundle;
  }

  /**
   * The line of the rule at a JSON pointer of the bundle; where it has none of its own, that of the closest part around
   * it.
   */
  at(pointer: string): SourceLine {
    if (!this.#walked) {
      const source = this.#source(`openapi/${this.#api}.yaml`);
      this.#walk('', this.#bundle, source.document.contents, source);
      this.#walked = true;
      // The documents are large, and nothing more is read in them.
      this.#sources.clear();
    }
    for (let place = pointer; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
      const found = this.#found.get(place);
      if (found !== undefined) return found;
    }
    return { file: `openapi/${this.#api}.yaml`, line: 1 };
  }

  #source(file: string): Source {
    const cached = this.#sources.get(file);
    if (cached !== undefined) return cached;
    const { LineCounter, parseDocument } = yaml();
    const lines = new LineCounter();
    const document = parseDocument(readFileSync(new URL(file, this.#root), 'utf8'), { lineCounter: lines });
    const source = { file, document, lines };
    this.#sources.set(file, source);
    return source;
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

/** The names of a JSON pointer. */
function path(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
}
