import type { OpenAPI3 } from 'openapi-typescript';
import { contractNames } from '../../sandbox/apis/registry.ts';
import type { AuthorizationStyle } from './tokens.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

type Security = readonly Readonly<Record<string, readonly string[]>>[];

/** Returns the source of an API's client: its factory, and the authorization style of each operation. */
export function clientModule(api: string, bundle: OpenAPI3): string {
  const name = pascal(api);
  const rows = [...operations(bundle)].map(([key, security]) => `  '${key}': '${style(bundle, security)}',`);
  return `import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import { type AuthorizationStyle, authorize, type Credentials } from '../tokens.ts';
import type { paths } from './types.ts';

const styles: Readonly<Record<string, AuthorizationStyle>> = {
${rows.join('\n')}
};

/** ${bundle.info.title}: ${bundle.info.summary ?? ''} */
export type ${name}Client = Client<paths>;

/** Makes a typed client. \`baseUrl\` is the address that the contract's paths are appended to. */
export function create${name}Client(options: ClientOptions & Credentials & { readonly baseUrl: string }): ${name}Client {
  const { token, basic, ...rest } = options;
  const client = createClient<paths>(rest);
  client.use(authorize(styles, { ...(token !== undefined && { token }), ...(basic !== undefined && { basic }) }));
  return client;
}
`;
}

/** Returns the source of the module that exports all clients. */
export function indexModule(): string {
  const lines = contractNames.map(
    (api) => `export { create${pascal(api)}Client, type ${pascal(api)}Client } from './${api}/client.ts';`,
  );
  return `${lines.join('\n')}\nexport { type Credentials, renewedToken, type TokenSource } from './tokens.ts';\n`;
}

function* operations(bundle: OpenAPI3): Generator<[key: string, security: Security]> {
  for (const [path, item] of Object.entries(bundle.paths ?? {})) {
    for (const method of methods) {
      const operation = 'parameters' in item || !('$ref' in item) ? item[method] : undefined;
      if (operation === undefined || '$ref' in operation) continue;
      yield [`${method.toUpperCase()} ${path}`, (operation.security ?? bundle.security ?? []) as Security];
    }
  }
}

function style(bundle: OpenAPI3, security: Security): AuthorizationStyle {
  const scheme = bundle.components?.securitySchemes?.[Object.keys(security[0] ?? {})[0] ?? ''];
  if (scheme === undefined || '$ref' in scheme) return 'none';
  if (scheme.type === 'apiKey') return 'bare';
  if (scheme.type === 'http') return scheme.scheme === 'basic' ? 'basic' : 'bearer';
  return 'none';
}

/** Converts a contract name to PascalCase, such as `v2-platform` to `V2Platform`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
