import { escapePointer, type Node } from '../../sandbox/contract/document.ts';

/** An operation or webhook of a bundle. The partner hosts webhooks. */
export interface Spot {
  readonly operationId: string;
  readonly section: 'paths' | 'webhooks';
  readonly path: string;
  readonly method: string;
  /** JSON pointer into the bundle. */
  readonly pointer: string;
  readonly node: Node;
  /** Whether the platform sends the request and the partner replies. */
  readonly called: boolean;
}

/** An operation's use of part of a contract: the partner sends that part, reads it, or does neither. */
export interface Use {
  readonly operationId: string;
  readonly side: 'sent' | 'read' | 'neither';
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/** Returns every operation and webhook of a bundle. */
export function spotsOf(bundle: Node): Spot[] {
  return (['paths', 'webhooks'] as const).flatMap((section) =>
    Object.entries((bundle[section] ?? {}) as Record<string, Node>).flatMap(([path, item]) =>
      methods
        .filter((method) => item[method] !== undefined)
        .map((method) => {
          const node = item[method] as Node;
          const operationId = String(node.operationId);
          const called = section === 'webhooks' || node['x-hosted-by'] === 'client';
          const pointer = `/${section}/${escapePointer(path)}/${method}`;
          return { operationId, section, path, method, pointer, node, called };
        }),
    ),
  );
}

/** The operations that use each part of a bundle, directly or through references. */
export class Uses {
  readonly #spots: readonly Spot[];
  /** Uses, keyed by component pointer. */
  readonly #components = new Map<string, Use[]>();

  constructor(bundle: Node) {
    this.#spots = spotsOf(bundle);
    for (const spot of this.#spots) {
      for (const [part, value] of Object.entries(spot.node)) this.#walk(bundle, value, useOf(spot, part));
      const security = (spot.node.security ?? bundle.security ?? []) as readonly Node[];
      for (const name of security.flatMap((alternative) => Object.keys(alternative)))
        this.#record(`/components/securitySchemes/${name}`, useOf(spot, 'security'));
    }
  }

  /** Returns the uses of the part at a pointer. */
  at(pointer: string): readonly Use[] {
    const component = /^\/components\/[^/]+\/[^/]+/.exec(pointer)?.[0];
    if (component !== undefined) return this.#components.get(component) ?? [];
    return this.#spots
      .filter((spot) => `${pointer}/`.startsWith(`${spot.pointer}/`) || spot.pointer.startsWith(`${pointer}/`))
      .map((spot) => useOf(spot, pointer.slice(spot.pointer.length + 1).split('/')[0] ?? ''));
  }

  /** Records a use. Returns whether the use is new. */
  #record(component: string, use: Use): boolean {
    const uses = this.#components.get(component) ?? [];
    if (uses.some(({ operationId, side }) => operationId === use.operationId && side === use.side)) return false;
    this.#components.set(component, [...uses, use]);
    return true;
  }

  #walk(bundle: Node, part: unknown, use: Use): void {
    if (part === null || typeof part !== 'object') return;
    for (const [key, value] of Object.entries(part)) {
      if (key === '$ref' && typeof value === 'string') {
        const pointer = value.slice(1);
        const [, , kind = '', name = ''] = pointer.split('/');
        const target = (bundle.components as Record<string, Node> | undefined)?.[kind]?.[name];
        if (this.#record(pointer, use)) this.#walk(bundle, target, use);
      } else if (!['example', 'examples'].includes(key)) this.#walk(bundle, value, use);
    }
  }
}

function useOf({ operationId, called }: Spot, part: string): Use {
  const request = part === 'parameters' || part === 'requestBody';
  if (!request && part !== 'responses') return { operationId, side: 'neither' };
  return { operationId, side: request === called ? 'read' : 'sent' };
}
