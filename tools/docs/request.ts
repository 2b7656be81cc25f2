import { type Bundle, type Operation, type Parameter, resolved, serverOf } from './bundles.ts';
import { demoValues, type Values } from './demo-values.ts';

/** Credential variables, keyed by the name of the contract's security scheme. */
const variables: Readonly<Record<string, string>> = {
  companyToken: 'COMPANY_TOKEN',
  companyBearer: 'COMPANY_TOKEN',
  customerToken: 'CUSTOMER_TOKEN',
  customerBearer: 'CUSTOMER_TOKEN',
  customerJwt: 'CUSTOMER_JWT',
  serviceToken: 'SERVICE_TOKEN',
  accessToken: 'ACCESS_TOKEN',
  gatewayToken: 'GATEWAY_TOKEN',
  basic: 'MICROSITE_BASIC',
};

/** An operation to call, with its contract. */
export interface Called {
  readonly bundle: Bundle;
  readonly api: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The parts of a request to an operation. */
export interface Given {
  readonly baseUrl: string;
  /** Required parameters, and one optional query parameter if none is required. */
  readonly parameters: readonly Parameter[];
  /** All other parameters. */
  readonly optional: readonly Parameter[];
  readonly body: unknown;
  readonly credential: { readonly variable: string; readonly scheme: 'bare' | 'bearer' | 'basic' } | undefined;
}

/** Builds a request to an operation from the examples in its contract. */
export function givenOf({ bundle, operation }: Called): Given {
  const values = constantsOf(operation.operationId);
  const all = (operation.parameters ?? [])
    .map((parameter) => resolved(bundle, parameter))
    .map((parameter) => ({ ...parameter, example: values.parameters[parameter.name] ?? parameter.example }));
  const needed = all.filter(
    ({ required, name }) => required === true || name === 'Idempotency-Key' || values.parameters[name] !== undefined,
  );
  // If no query parameter is required, use the first optional one as an example.
  const sample = all.filter((parameter) => parameter.in === 'query').slice(0, 1);
  const parameters = needed.some((parameter) => parameter.in === 'query') ? needed : [...needed, ...sample];
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {});
  const security = operation.security ?? bundle.security ?? [];
  // Omit a credential that is optional on this machine.
  const open = security.some((alternative) => Object.keys(alternative).length === 0);
  const scheme = open ? undefined : Object.keys(security[0] ?? {})[0];
  return {
    baseUrl: serverOf(bundle),
    parameters,
    optional: all.filter((parameter) => !parameters.includes(parameter)),
    body: example === undefined ? undefined : bodyOf(resolved(bundle, example).value, values.body),
    credential: credentialOf(bundle, scheme),
  };
}

/**
 * Returns the demo values that replace the contract's examples, except values that earlier calls return. The samples
 * and the console therefore contain the same example.
 */
function constantsOf(operationId: string): Required<Pick<Values, 'parameters' | 'body'>> {
  const { parameters = {}, body = {} } = demoValues[operationId] ?? {};
  const constant = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => !JSON.stringify(value ?? '').includes('{{')));
  return { parameters: constant(parameters), body: constant(body) };
}

function bodyOf(example: unknown, changes: Readonly<Record<string, unknown>>): unknown {
  if (Object.keys(changes).length === 0) return example;
  const fields = Object.entries({ ...(example as object), ...changes });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function credentialOf(bundle: Bundle, name: string | undefined): Given['credential'] {
  if (name === undefined) return undefined;
  const scheme = bundle.components?.securitySchemes?.[name];
  const variable = variables[name];
  if (scheme === undefined || variable === undefined) throw new Error(`Calls do not know the scheme ${name}.`);
  return { variable, scheme: scheme.type === 'apiKey' ? 'bare' : (scheme.scheme ?? 'bearer') };
}
