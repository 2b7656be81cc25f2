/** Reads the options of a `certify` run. Flags override the configuration file. */
import { dirname, resolve } from 'node:path';
import { schemaProblem } from '../certification/certificate.ts';
import { certificationSchemas, type InputProblem, problemOf, schemaFindings } from '../certification/input.ts';
import type { KnownFailure } from '../certification/report.ts';
import type { ReportFile } from '../certification/report-files.ts';
import { loadRequirements } from '../certification/requirement.ts';
import type { Input, RequirementVerdict } from '../certification/verdict.ts';
import { isLoopback } from '../runtime/caller.ts';
import { realTimer } from '../runtime/clock.ts';
import { fileSchemas } from './certify-schema.ts';
import { byCommand } from './otp-command.ts';
import { InputError, readAnswers, readYaml } from './yaml-file.ts';

/** The flags of `certify`: configuration fields by flag name, and options that exist only as flags. */
export interface CertifyFlags extends Readonly<Record<string, unknown>> {
  readonly config?: string;
  readonly requirements?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly list?: boolean;
  readonly data: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The content of a configuration file, as defined in `certify.schema.json`. */
type CertifyFile = Partial<Omit<Input, 'answers' | 'otp' | 'sandbox' | 'webhook'>> & {
  readonly otp?: Omit<NonNullable<Input['otp']>, 'read'> & { readonly command?: string };
  /** The sandbox's address, alone or with the admin token. */
  readonly sandbox?: string | Partial<NonNullable<Input['sandbox']>>;
  readonly webhook?: Partial<NonNullable<Input['webhook']>>;
  readonly reports?: Readonly<Record<string, string>>;
  readonly certificate?: string;
  readonly signing_key?: string;
  readonly witness?: string;
  readonly baseline?: string;
  readonly answers?: string;
  readonly fail_on?: RequirementVerdict['level'];
  readonly allow_partial?: boolean;
  readonly yes?: boolean;
};

/** The options of a run, from flags and configuration. */
export interface RunOptions {
  readonly input: Input;
  readonly weight: RequirementVerdict['level'];
  /** Whether a partial run counts as success. */
  readonly allowPartial: boolean;
  readonly baseline: readonly KnownFailure[];
  readonly files: readonly ReportFile[];
  /** The witness and the file with the witness's key; `undefined` if the sandbox's own key signs. */
  readonly witness: { readonly name: string; readonly keyFile: string } | undefined;
}

/** Combines flags and configuration. Throws an `InputError` if no run is possible with them. */
export function readRunOptions(flags: Partial<CertifyFlags>): RunOptions {
  const { reports = {}, certificate, signing_key, witness: name, baseline, answers, ...settings } = settingsOf(flags);
  const { fail_on: weight = 'must', allow_partial: allowPartial = false, yes, otp, ...plain } = settings;
  const source = otp?.command === undefined ? otp : { read: byCommand(otp.command, realTimer) };
  const given = answers === undefined ? {} : { answers: readAnswers(answers) };
  const input = { ...plain, ...(source && { otp: source }), ...given } as Input;
  const found = problemOf(input);
  if (found !== undefined) throw new InputError(describeProblem(found));
  const { hostname } = new URL(input.client_url);
  if (!isLoopback(hostname) && yes !== true)
    throw new InputError(
      `${hostname} is another machine. The run changes the balances of ${input.customers.join(', ')} there and restores them. Add --yes to allow it.`,
    );
  const files = Object.entries({ ...reports, ...(certificate !== undefined && { certificate }) });
  const witness = witnessOf(signing_key, name);
  if (certificate !== undefined) refuseUnprintable(input, witness);
  return {
    input,
    weight,
    allowPartial,
    witness,
    baseline: baseline === undefined ? [] : knownFailures(baseline, input.requirements),
    files: files.map(([format, file]) => ({ format: format as ReportFile['format'], file })),
  };
}

function witnessOf(keyFile: string | undefined, name: string | undefined): RunOptions['witness'] {
  if (keyFile === undefined && name === undefined) return undefined;
  if (keyFile === undefined || name === undefined)
    throw new InputError('--signing-key and --witness must be used together.');
  return { name, keyFile };
}

/** Throws, before the run starts, if readers would reject its certificate. */
function refuseUnprintable({ client_url, seed }: Input, witness: RunOptions['witness']): void {
  const problems = {
    '--client-url': schemaProblem('PlainText', client_url),
    '--seed': seed && schemaProblem('PlainText', seed),
    '--witness': witness && schemaProblem('WitnessName', witness.name),
  };
  for (const [flag, problem] of Object.entries(problems))
    if (problem !== undefined) throw new InputError(`${flag} cannot be written to a certificate: it ${problem}.`);
}

/** Configuration fields that are file names, in addition to `reports`. */
const fileFields = ['certificate', 'signing_key', 'baseline', 'answers'];

/** Reads a configuration file. File names in it are relative to its folder. */
function configuration(name: string): CertifyFile {
  const { reports, ...file } = readYaml<CertifyFile>(name, (value) =>
    schemaFindings(fileSchemas(certificationSchemas()), 'CertifyFile', value),
  );
  const from = (other: string) => resolve(dirname(name), other);
  const moved = Object.entries(file).map(([field, value]) => [
    field,
    fileFields.includes(field) ? from(String(value)) : value,
  ]);
  return {
    ...Object.fromEntries(moved),
    ...(reports && { reports: Object.fromEntries(Object.entries(reports).map(([format, to]) => [format, from(to)])) }),
  };
}

/** Configuration fields whose flags have different names. All other flags set the field of the same name. */
const fields: Readonly<Record<string, string>> = {
  customer: 'customers',
  timeout: 'timeout_ms',
  report: 'reports',
  sandbox: 'sandbox/url',
  adminToken: 'sandbox/admin_token',
  webhookUrl: 'webhook/url',
  webhookSecret: 'webhook/secret',
  otp: 'otp/code',
  otpCommand: 'otp/command',
  otpUrl: 'otp/url',
  otpGateway: 'otp/gateway',
};

/** Converts a camel-case name to lower case with separators, such as `clientUrl` to `client_url`. */
function lowered(name: string, between: '_' | '-'): string {
  return name.replaceAll(/[A-Z]/g, (letter) => between + letter.toLowerCase());
}

/** Converts flags to a configuration. */
function fromFlags({ config, list, data, json, quiet, ...settings }: Partial<CertifyFlags>): CertifyFile {
  const all: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(present(settings))) {
    const [field = '', part] = (fields[name] ?? lowered(name, '_')).split('/');
    all[field] = part === undefined ? value : { ...(all[field] as object | undefined), [part]: value };
  }
  return all as CertifyFile;
}

/** Merges the flags into the configuration. An admin token alone, for example from the environment, does not select a sandbox. */
function settingsOf(flags: Partial<CertifyFlags>): CertifyFile {
  const file = flags.config === undefined ? {} : configuration(flags.config);
  const given = fromFlags(flags);
  if (Object.keys(given.otp ?? {}).length > 1)
    throw new InputError('Use only one of --otp, --otp-command, --otp-url and --otp-gateway.');
  const joined = <T extends object>(of: T | undefined, more: T | undefined): T | undefined =>
    Object.keys({ ...of, ...more }).length > 0 ? ({ ...of, ...more } as T) : undefined;
  const place = typeof file.sandbox === 'string' ? { url: file.sandbox } : file.sandbox;
  const named = given.sandbox as typeof place;
  const parts = {
    sandbox: place === undefined && named?.url === undefined ? undefined : joined(place, named),
    webhook: joined(file.webhook, given.webhook),
    reports: joined(file.reports, given.reports),
  };
  return present({ ...file, ...given, ...parts }) as CertifyFile;
}

/** Returns an object without its undefined fields. */
function present<T extends object>(all: T): Partial<T> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const baselineSchemas = {
  KnownFailures: {
    type: 'array',
    maxItems: 500,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['id', 'reason'],
      properties: { id: { type: 'string' }, reason: { type: 'string', minLength: 1, maxLength: 1000 } },
    },
  },
};

function knownFailures(file: string, edition: string | undefined): readonly KnownFailure[] {
  const list = readYaml<readonly KnownFailure[]>(file, (value) =>
    schemaFindings(baselineSchemas, 'KnownFailures', value),
  );
  const ids = new Set(loadRequirements(edition).list.map(({ id }) => id));
  const unknown = list.find(({ id }) => !ids.has(id));
  if (unknown !== undefined)
    throw new InputError(`${file}: unknown requirement ${unknown.id}. --list shows all of them.`);
  return list;
}

function describeProblem({ where, problem }: InputProblem): string {
  const field = where.replace(/\/\d+$/, '').slice(1);
  const flag = Object.keys(fields).find((name) => fields[name] === field) ?? field.replaceAll('_', '-');
  return `--${lowered(flag, '-')} ${problem}.`.replace(/(?<!\.)\.+$/, '.');
}
