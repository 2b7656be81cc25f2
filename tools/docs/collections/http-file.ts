/**
 * Exports all calls as one `.http` file. Scripts between `{% %}` save values for later calls. The JetBrains HTTP client
 * and httpYac run the scripts, and other tools ignore them.
 */
import { allCalls, type Call, type Credential, type Group, isGroup } from './calls.ts';

/** Returns the text of the file. */
export function httpFile(): string {
  const { description, groups, variables } = allCalls();
  const head = description.split('\n').map((line) => (line === '' ? '#' : `# ${line}`));
  const preset = Object.entries(variables).filter(([, value]) => value !== '');
  return [
    ...head,
    '',
    ...preset.map(([key, value]) => `@${key} = ${value}`),
    '',
    ...groups.flatMap((group) => partsOf(group, [])),
    '',
  ].join('\n');
}

/** Returns the calls of a group, each titled with the names of its groups. */
function partsOf(part: Group | Call, within: readonly string[]): string[] {
  if (isGroup(part)) return part.parts.flatMap((one) => partsOf(one, [...within, part.name]));
  return [`### ${[...within, part.name].join(' / ')}`, ...callOf(part), ''];
}

function callOf({ method, base, path, inPath, query, headers, credential, body, keeps }: Call): string[] {
  const filled = inPath.reduce((text, { key, value }) => text.replace(`{${key}}`, value), path);
  const sent = query.filter((one) => one.sent).map(({ key, value }) => `${key}=${value}`);
  const target = `{{${base}}}${filled}${sent.length === 0 ? '' : `?${sent.join('&')}`}`;
  return [
    `${method} ${target}`,
    ...headers.filter((one) => one.sent).map(({ key, value }) => `${key}: ${value}`),
    ...authorization(credential),
    '',
    ...(body === undefined ? [] : [body, '']),
    ...script(keeps),
  ];
}

function authorization(credential: Credential | undefined): string[] {
  if (credential === undefined) return [];
  if (credential.scheme === 'basic') return [`Authorization: Basic ${credential.user} ${credential.password}`];
  return [`Authorization: ${credential.scheme === 'bearer' ? 'Bearer ' : ''}${credential.token}`];
}

/** Returns the script to run after a call. The script fails if the call was refused, and saves parts of the reply in variables. */
function script(keeps: Call['keeps']): string[] {
  return [
    '> {%',
    "client.test('it is carried out', () => client.assert(response.status < 400, 'it was refused'));",
    ...Object.entries(keeps).map(
      ([name, part]) => `if (response.body.${part}) client.global.set('${name}', response.body.${part});`,
    ),
    '%}',
  ];
}
