/** The schema of `certify.yaml`: what the contract has of a run, and what only the command has. */
import type { NamedSchemas } from '../conformance/certification/input.ts';
import { reportFormats } from '../conformance/certification/report-files.ts';

type Schema = Readonly<Record<string, unknown>>;
type Parts = NamedSchemas;

const file = { type: 'string', minLength: 1, maxLength: 1000 };

/** What only the command has. Names of files are taken from the folder of the configuration. */
const own: Parts = {
  reports: {
    type: 'object',
    additionalProperties: false,
    description: 'Files to write the report to, by format.',
    properties: Object.fromEntries(reportFormats.map((format) => [format, file])),
  },
  certificate: { ...file, description: 'File to write the certificate to.' },
  signing_key: { ...file, description: 'File with the Ed25519 key (PEM) that signs it, in place of the own one.' },
  witness: { ...file, description: 'Who vouches for the run; goes with `signing_key`.' },
  baseline: { ...file, description: 'File with the failures that are known.' },
  fail_on: {
    type: 'string',
    enum: ['must', 'should'],
    default: 'must',
    description:
      'Which failures end with exit code 1: of mandatory requirements (`must`), or of recommended ones too (`should`).',
  },
  allow_partial: {
    type: 'boolean',
    default: false,
    description: 'Whether a run that leaves mandatory requirements unjudged may end with exit code 0.',
  },
  yes: {
    type: 'boolean',
    default: false,
    description: 'Whether a server on another machine may be called, and its ledger changed.',
  },
};

const command = {
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description:
    'Run by `sh`, it prints the code. `{customer_id}` and `{reference_id}` are filled in, each as one word of the shell: put no quotes around them.',
};

/** Names of schemas that a configuration uses. */
const parts = ['OtpSource', 'CertificationSandbox', 'CertificationWebhook'] as const;

/** The address of a sandbox alone. */
function sandboxUrl({ properties }: Schema): unknown {
  return (properties as Parts).url;
}

/** The schemas of a configuration by name, from those of the contract: the flags give what it leaves out. */
export function fileSchemas(contract: NamedSchemas): Parts {
  const named = (name: string) => contract[name] as Schema;
  const { required, ...input } = named('CertificationInput');
  // Only a sandbox has a log of its own.
  const { log, balance, ...properties } = input.properties as Parts;
  // Readers of JSON Schema know no formats of numbers.
  const { format, ...points } = balance ?? {};
  const otp = named('OtpSource');
  return {
    ...Object.fromEntries(parts.map((name) => [name, named(name)])),
    OtpSource: { ...otp, properties: { ...(otp.properties as Parts), command } },
    // The address may come from a flag, or stand alone.
    CertificationSandbox: {
      description: 'The sandbox that the server calls: its address, or an object with `url` and `admin_token`.',
      oneOf: [sandboxUrl(named('CertificationSandbox')), { ...named('CertificationSandbox'), required: [] }],
    },
    CertificationWebhook: { ...named('CertificationWebhook'), required: [] },
    // A call may have fields that nobody knows (OP-38); a file with one has most likely a mistake in it.
    CertifyFile: { ...input, additionalProperties: false, properties: { ...properties, balance: points, ...own } },
  };
}

/** The schema as one document that editors take. */
export function publishedSchema(contract: NamedSchemas): Schema {
  const { CertifyFile, ...defs } = fileSchemas(contract);
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'certify.yaml',
    ...CertifyFile,
    description: 'What `rewards-sandbox certify --config` reads. Flags win over it.',
    $defs: defs,
  };
  const text = JSON.stringify(document, (key, value) => (key.startsWith('x-') ? undefined : value));
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Schema;
}
