/** The options of a `certify` run: flags override the configuration. */
import { dirname, resolve } from 'node:path';
import type { KnownFailure } from '../certification/baseline.ts';
import { schemaProblem } from '../certification/certificate.ts';
import { certificationSchemas, type InputProblem, problemOf } from '../certification/input.ts';
import type { ReportFile, ReportFormat } from '../certification/report-files.ts';
import { loadRequirements } from '../certification/requirement.ts';
import type { Input, RequirementVerdict } from '../certification/verdict.ts';
import { isLoopback } from '../runtime/caller.ts';
import { realTimer } from '../runtime/timer.ts';
import { fileSchemas } from './certify-schema.ts';
import { byCommand } from './otp-command.ts';
import { FileError, readYaml } from './yaml-file.ts';

/** The flags or the configuration cannot be used. The message is for the user. */
export class UsageError extends Error {}

/** What the command line asks for; what it leaves out may stand in the configuration. */
export interface CertifyFlags {
  readonly clientUrl?: string;
  readonly serviceToken?: string;
  readonly basic?: string;
  readonly api?: 'v1' | 'v2' | 'both';
  readonly config?: string;
  readonly customer?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly list?: boolean;
  readonly seed?: string;
  readonly requirements?: string;
  readonly baseline?: string;
  readonly report?: readonly ReportFile[];
  readonly certificate?: string;
  readonly signingKey?: string;
  readonly witness?: string;
  readonly data: string;
  readonly failOn?: 'must' | 'should';
  readonly allowPartial?: boolean;
  readonly slow?: boolean;
  readonly timeout?: number;
  readonly balance?: number;
  readonly projectCode?: string;
  readonly expiredToken?: string;
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  readonly sandbox?: string;
  readonly adminToken?: string;
  readonly otp?: string;
  readonly otpCommand?: string;
  readonly otpUrl?: string;
  readonly otpGateway?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A configuration, as `certify.schema.json` has it. */
type CertifyFile = Partial<Omit<Input, 'otp' | 'sandbox' | 'webhook'>> & {
  readonly otp?: Omit<NonNullable<Input['otp']>, 'read'> & { readonly command?: string };
  /** Its address alone, or with the admin token. */
  readonly sandbox?: string | Partial<NonNullable<Input['sandbox']>>;
  readonly webhook?: Partial<NonNullable<Input['webhook']>>;
  readonly reports?: Readonly<Record<string, string>>;
  readonly certificate?: string;
  readonly signing_key?: string;
  readonly witness?: string;
  readonly baseline?: string;
  readonly fail_on?: RequirementVerdict['level'];
  readonly allow_partial?: boolean;
  readonly yes?: boolean;
};

/** The flags that describe a run. */
type RunFlags = Omit<CertifyFlags, 'data'>;

/** A run as flags and configuration describe it. */
export interface RunOptions {
  readonly input: Input;
  readonly weight: RequirementVerdict['level'];
  /** Whether a partial run ends well. */
  readonly allowPartial: boolean;
  readonly baseline: readonly KnownFailure[];
  readonly files: readonly ReportFile[];
  /** The witness and the file of its key; undefined where the sandbox's own key signs. */
  readonly witness: { readonly name: string; readonly keyFile: string } | undefined;
}

/** Reads flags and configuration. Throws a UsageError or a FileError if no run is possible with them. */
export function readRunOptions(flags: RunFlags): RunOptions {
  const file = flags.config === undefined ? {} : configuration(flags.config);
  const input = inputOf(flags, file);
  const found = problemOf(input);
  if (found !== undefined) throw new UsageError(describeProblem(found));
  const { hostname } = new URL(input.client_url);
  if (!isLoopback(hostname) && (flags.yes ?? file.yes) !== true)
    throw new UsageError(
      `${hostname} is another machine. The run changes the balances of ${input.customers.join(', ')} there and restores them. Add --yes to allow it.`,
    );
  const baseline = flags.baseline ?? file.baseline;
  const reports = new Map<ReportFile['format'], string>(Object.entries(file.reports ?? {}) as [ReportFormat, string][]);
  for (const { format, file: name } of flags.report ?? []) reports.set(format, name);
  const certificate = flags.certificate ?? file.certificate;
  const witness = witnessOf(flags.signingKey ?? file.signing_key, flags.witness ?? file.witness);
  if (certificate !== undefined) {
    reports.set('certificate', certificate);
    refuseUnprintable(input, witness);
  }
  return {
    input,
    weight: flags.failOn ?? file.fail_on ?? 'must',
    allowPartial: flags.allowPartial ?? file.allow_partial ?? false,
    baseline: baseline === undefined ? [] : knownFailures(baseline, input.requirements),
    files: [...reports].map(([format, name]) => ({ format, file: name })),
    witness,
  };
}

function witnessOf(keyFile: string | undefined, name: string | undefined): RunOptions['witness'] {
  if (keyFile === undefined && name === undefined) return undefined;
  if (keyFile === undefined || name === undefined)
    throw new UsageError('--signing-key and --witness must be used together.');
  return { name, keyFile };
}

/** Throws before the run starts if readers would reject the certificate of this run. */
function refuseUnprintable({ client_url, seed }: Input, witness: RunOptions['witness']): void {
  const problems = {
    '--client-url': schemaProblem('PlainText', client_url),
    '--seed': seed && schemaProblem('PlainText', seed),
    '--witness': witness && schemaProblem('WitnessName', witness.name),
  };
  for (const [flag, problem] of Object.entries(problems))
    if (problem !== undefined) throw new UsageError(`${flag} cannot be written to a certificate: it ${problem}.`);
}

/** A configuration; files that it names are looked for from its own folder. */
function configuration(name: string): CertifyFile {
  const { reports, certificate, signing_key, baseline, ...file } = readYaml<CertifyFile>(
    name,
    fileSchemas(certificationSchemas()),
    'CertifyFile',
  );
  const from = (other: string) => resolve(dirname(name), other);
  return {
    ...file,
    ...(reports && { reports: Object.fromEntries(Object.entries(reports).map(([format, to]) => [format, from(to)])) }),
    ...(certificate !== undefined && { certificate: from(certificate) }),
    ...(signing_key !== undefined && { signing_key: from(signing_key) }),
    ...(baseline !== undefined && { baseline: from(baseline) }),
  };
}

function inputOf(flags: RunFlags, file: CertifyFile): Input {
  const { reports, certificate, signing_key, witness, baseline, otp, sandbox, webhook, ...rest } = file;
  const { fail_on, allow_partial, yes, ...plain } = rest;
  const { timeout } = flags;
  const given = {
    client_url: flags.clientUrl,
    service_token: flags.serviceToken,
    basic: flags.basic,
    api: flags.api,
    customers: flags.customer,
    balance: flags.balance,
    project_code: flags.projectCode,
    expired_token: flags.expiredToken,
    requirements: flags.requirements,
    only: flags.only,
    skip: flags.skip,
    seed: flags.seed,
    slow: flags.slow,
    timeout_ms: timeout === undefined ? undefined : Math.round(timeout * 1000),
    otp: otpOf(flags, otp),
    sandbox: joined(
      { url: flags.sandbox, admin_token: flags.adminToken },
      typeof sandbox === 'string' ? { url: sandbox } : sandbox,
      'url',
    ),
    webhook: joined({ url: flags.webhookUrl, secret: flags.webhookSecret }, webhook),
  };
  return { ...plain, ...present(given) } as Input;
}

function otpOf(flags: RunFlags, file: CertifyFile['otp']): Input['otp'] {
  const { otp: code, otpCommand: command, otpUrl: url, otpGateway: gateway } = flags;
  const given = present({ code, command, url, gateway });
  if (Object.keys(given).length > 1)
    throw new UsageError('Use only one of --otp, --otp-command, --otp-url and --otp-gateway.');
  const source = Object.keys(given).length === 1 ? given : file;
  if (source?.command === undefined) return source as Input['otp'];
  return { read: byCommand(source.command as string, realTimer) };
}

/** Parts of a field from flags over those of the file; nothing where there are none, or without the part it needs. */
function joined(
  flags: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, string | undefined>> | undefined,
  needed?: string,
): object | undefined {
  const all = { ...file, ...present(flags) };
  const isMissing = needed !== undefined && all[needed] === undefined && file === undefined;
  return isMissing || Object.keys(all).length === 0 ? undefined : all;
}

/** What is there of an object. */
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
  const list = readYaml<readonly KnownFailure[]>(file, baselineSchemas, 'KnownFailures');
  const ids = new Set(loadRequirements(edition).list.map(({ id }) => id));
  const unknown = list.find(({ id }) => !ids.has(id));
  if (unknown !== undefined)
    throw new FileError(`${file}: unknown requirement ${unknown.id}. --list shows all of them.`);
  return list;
}

/** The flags of fields whose names differ. */
const flagNames: Readonly<Record<string, string>> = {
  '/customers': '--customer',
  '/timeout_ms': '--timeout',
  '/sandbox': '--sandbox',
  '/sandbox/url': '--sandbox',
  '/sandbox/admin_token': '--admin-token',
  '/webhook/url': '--webhook-url',
  '/webhook/secret': '--webhook-secret',
  '/otp/code': '--otp',
  '/otp/url': '--otp-url',
};

function describeProblem({ where, problem }: InputProblem): string {
  const field = where.replace(/\/\d+$/, '');
  return `${flagNames[field] ?? `--${field.slice(1).replaceAll('_', '-')}`} ${problem}.`.replace(/(?<!\.)\.+$/, '.');
}
