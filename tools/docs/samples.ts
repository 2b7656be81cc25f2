import { inspect } from 'node:util';
import { type HarRequest, HTTPSnippet } from '@readme/httpsnippet';
import { pascal } from '../generate/client-module.ts';
import type { Parameter } from './bundles.ts';
import { type Called, type Given, givenOf } from './request.ts';

/** A code sample in the format that Redoc expects. */
export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Returns a sample call in each language, built from the operation's examples. */
export function samplesOf(called: Called): Sample[] {
  const given = givenOf(called);
  const snippet = new HTTPSnippet(harOf(called, given) as HarRequest);
  const inLanguage = (language: Parameters<typeof snippet.convert>[0], client: string): string => {
    const converted = snippet.convert(language, client, { indent: '  ', checkErrors: true });
    const [source] = Array.isArray(converted) ? converted : [];
    if (typeof source !== 'string')
      throw new Error(`There is no sample of ${called.operation.operationId} in ${language}.`);
    return source;
  };
  return [
    { lang: 'bash', label: 'curl', source: curl(inLanguage('shell', 'curl')) },
    { lang: 'javascript', label: 'JavaScript', source: javascript(called, given) },
    { lang: 'python', label: 'Python', source: python(inLanguage('python', 'requests')) },
    { lang: 'java', label: 'Java', source: fromEnvironment(inLanguage('java', 'nethttp'), ' + ', 'System.getenv') },
    { lang: 'php', label: 'PHP', source: fromEnvironment(inLanguage('php', 'curl'), ' . ', 'getenv') },
    {
      lang: 'csharp',
      label: 'C#',
      source: fromEnvironment(inLanguage('csharp', 'httpclient'), ' + ', 'Environment.GetEnvironmentVariable'),
    },
    { lang: 'go', label: 'Go', source: go(inLanguage('go', 'native')) },
  ];
}

/** Returns the request in the format of the snippet library (HAR). `{{NAME}}` refers to an environment variable. */
function harOf({ method, path }: Called, { baseUrl, parameters, body, credential }: Given) {
  const at = (where: Parameter['in']) => parameters.filter((parameter) => parameter.in === where);
  const filled = at('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const pairs = (list: readonly Parameter[]) => list.map(({ name, example }) => ({ name, value: String(example) }));
  const prefix = { bare: '', bearer: 'Bearer ', basic: 'Basic ' };
  return {
    method,
    url: baseUrl + filled,
    queryString: pairs(at('query')),
    headers: [
      ...(credential
        ? [{ name: 'Authorization', value: `${prefix[credential.scheme]}{{${credential.variable}}}` }]
        : []),
      ...pairs(at('header')),
      ...(body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
    ],
    ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  };
}

/** Puts the variable in double quotes, because the shell does not expand variables in single quotes. */
function curl(source: string): string {
  return source.replace(/'(authorization: (?:\w+ )?)\{\{(\w+)\}\}'/i, '"$1$$$2"');
}

function fromEnvironment(source: string, plus: string, call: string): string {
  return source.replace(
    /"((?:authorization: )?(?:(?:Bearer|Basic) )?)\{\{(\w+)\}\}"/i,
    (_, before: string, name: string) => {
      const value = `${call}("${name}")`;
      return before === '' ? value : `"${before}"${plus}${value}`;
    },
  );
}

function python(source: string): string {
  const text = source.replace(
    /"((?:Bearer|Basic) )?\{\{(\w+)\}\}"/,
    (_, scheme: string | undefined, name: string) =>
      `${scheme === undefined ? '' : `"${scheme}" + `}os.environ["${name}"]`,
  );
  return text === source ? text : `import os\n${text}`;
}

/** Adds the `os` import if the sample reads a variable. Go rejects both unused and missing imports. */
function go(source: string): string {
  const text = fromEnvironment(source, ' + ', 'os.Getenv');
  return text === source ? text : text.replace('"net/http"', '"net/http"\n\t"os"');
}

/** Returns a call with the typed client of the contract. */
function javascript(
  { api, method, path, operation }: Called,
  { baseUrl, parameters, body, credential }: Given,
): string {
  const factory = `create${pascal(api)}Client`;
  const client = pascal(api).replace(/^./, (letter) => letter.toLowerCase());
  const params: Record<string, Record<string, unknown>> = {};
  for (const { in: where, name, example } of parameters) {
    params[where] ??= {};
    params[where][name] = example;
  }
  const returns = (type: string) =>
    Object.values(operation.responses).some(({ content }) => content?.[type] !== undefined);
  const stream = returns('text/event-stream');
  const init = {
    ...(parameters.length > 0 && { params }),
    ...(body !== undefined && { body }),
    ...(stream && { parseAs: 'stream' }),
    ...(returns('text/csv') && { parseAs: 'text' }),
  };
  const given =
    Object.keys(init).length === 0 ? '' : `, ${inspect(init, { depth: null, breakLength: 90, compact: 1 })}`;
  const printing = stream
    ? 'for await (const text of data.pipeThrough(new TextDecoderStream())) console.log(text);'
    : 'console.log(data);';
  return `import { ${factory} } from './generated/index.ts';

const ${client} = ${factory}({
  baseUrl: '${baseUrl}',${credentials(credential)}
});
const { data, error, response } = await ${client}.${method}('${path}'${given});
if (error) throw new Error(\`${operation.operationId} answered \${response.status}\`);
${printing}`;
}

function credentials(credential: Given['credential']): string {
  if (credential === undefined) return '';
  if (credential.scheme !== 'basic') return `\n  token: process.env.${credential.variable},`;
  return "\n  basic: { username: 'microsite', password: process.env.MICROSITE_PASSWORD },";
}
