/** The schema of `certify.yaml`: the contract's schema of a run, with the fields that only the command supports. */
import type { NamedSchemas } from '../certification/input.ts';
import { reportFormats } from '../certification/report-files.ts';

type Schema = Readonly<Record<string, unknown>>;

const path = { type: 'string', minLength: 1, maxLength: 1000 };
const file = (description: string) => ({ ...path, description });
const choice = (description: string) => ({ type: 'boolean', default: false, description });

/** Fields that only the command supports. File names are relative to the folder of the configuration. */
const own: NamedSchemas = {
  reports: {
    type: 'object',
    additionalProperties: false,
    description: 'Report files by format.',
    properties: Object.fromEntries(reportFormats.map((format) => [format, path])),
  },
  certificate: file('File for the certificate.'),
  signing_key: file(
    'File with the Ed25519 key (PEM) that signs the certificate. Defaults to the key in the data folder.',
  ),
  witness: file('Name of the witness who signs the certificate. Requires `signing_key`.'),
  baseline: file('File with the known failures.'),
  answers: file('File with the answers to open points, such as `answers.yaml`.'),
  fail_on: {
    type: 'string',
    enum: ['must', 'should'],
    default: 'must',
    description:
      'Failures that lead to exit code 1: of mandatory requirements only (`must`), or also of recommended ones (`should`).',
  },
  allow_partial: choice('Whether to exit with 0 even if mandatory requirements were not checked.'),
  yes: choice('Whether to allow a server on another machine, and changes to its balances.'),
};

const command = {
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description:
    'Shell command (`sh`) that prints the code. `{customer_id}` and `{reference_id}` are replaced, each quoted as one shell word, so do not put quotes around them.',
};

/** Names of the contract's schemas that a configuration uses. */
const parts = ['OtpSource', 'CertificationSandbox', 'CertificationWebhook'] as const;

/** Returns the schema of a sandbox's URL. */
function sandboxUrl({ properties }: Schema): unknown {
  return (properties as NamedSchemas).url;
}

/** Derives the schemas of a configuration from those of the contract. No field is required, because a flag can supply it. */
export function fileSchemas(contract: NamedSchemas): NamedSchemas {
  const named = (name: string) => contract[name] as Schema;
  const { required, ...input } = named('CertificationInput');
  // `log` refers to the log of the called sandbox, so the command has no such field.
  const { log, balance, ...properties } = input.properties as NamedSchemas;
  // JSON Schema defines no formats for numbers.
  const { format, ...points } = balance ?? {};
  const otp = named('OtpSource');
  return {
    ...Object.fromEntries(parts.map((name) => [name, named(name)])),
    OtpSource: { ...otp, properties: { ...(otp.properties as NamedSchemas), command } },
    // The address can also be set by a flag, or be a plain string.
    CertificationSandbox: {
      description: 'The sandbox that the server calls: its address, or an object with `url` and `admin_token`.',
      oneOf: [sandboxUrl(named('CertificationSandbox')), { ...named('CertificationSandbox'), required: [] }],
    },
    CertificationWebhook: { ...named('CertificationWebhook'), required: [] },
    CertifyFile: { ...input, properties: { ...properties, balance: points, ...own } },
  };
}

/** Combines the schemas of a configuration into one document for editors. */
export function publishedSchema(schemas: NamedSchemas, name: string, title: string, description: string): Schema {
  const { [name]: file, ...defs } = schemas;
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...file,
    description,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
  const text = JSON.stringify(document, (key, value) => (key.startsWith('x-') ? undefined : value));
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Schema;
}
