import type { components } from '../../../generated/sandbox/types.ts';
import { csvText } from '../../runtime/csv.ts';
import { type Control, type ControlCall, type ControlReply, pageAfter } from '../control.ts';

type Partner = components['schemas']['Partner'];

/** Default number of partners of a page. */
const usualPartners = 100;
const usualDays = 7;

/** Lists the partner board: all rows for the operator of the sandbox, otherwise only the caller's own row (OP-261). */
export async function listPartners(
  control: Control,
  { query }: ControlCall<'listPartners'>,
): Promise<ControlReply<'listPartners'>> {
  return { status: 200, body: await pageOf(control, query) };
}

/** Exports a page of the partner board as CSV (OP-261). */
export async function exportPartners(
  control: Control,
  { query }: ControlCall<'exportPartners'>,
): Promise<ControlReply<'exportPartners'>> {
  const { items } = await pageOf(control, query);
  const rows = items.map((partner) => columns.map(([, of]) => String(of(partner) ?? '')));
  return { status: 200, type: 'text/csv', text: csvText([columns.map(([name]) => name), ...rows]) };
}

async function pageOf(
  { partners }: Control,
  { days = usualDays, limit = usualPartners, after, search }: ControlCall<'listPartners'>['query'],
) {
  const found = await partners.list({ after, search, days, limit: limit + 1 });
  return pageAfter(found, limit, ({ workspace: { created_at, id } }) => `${Date.parse(created_at)}.${id}`);
}

const columns: readonly (readonly [name: string, of: (partner: Partner) => string | number | boolean | null])[] = [
  ['id', ({ workspace }) => workspace.id],
  ['name', ({ workspace }) => workspace.name],
  ['created_by', ({ workspace }) => workspace.created_by],
  ['last_used_at', ({ workspace }) => workspace.last_used_at],
  ['calls', ({ calls }) => calls],
  ['findings', ({ findings }) => findings],
  ...(
    [
      'id',
      'client_url',
      'requirements',
      'issued_at',
      'outcome',
      'open_failures',
      'expired',
      'signer',
      'key_name',
    ] as const
  ).map((field) => [`certification_${field}`, ({ certification }: Partner) => certification?.[field] ?? null] as const),
  ['answers_pending', ({ answers_pending }) => answers_pending],
  ['counted_at', ({ counted_at }) => counted_at],
];

/** Accepts a certificate from elsewhere (OP-262). */
export async function submitCertificate(
  control: Control,
  call: ControlCall<'submitCertificate'>,
): Promise<ControlReply<'submitCertificate'>> {
  const result = await control.partners.submit(call.body.certificate, call.trace);
  return 'kind' in result ? result : { status: 201, body: result };
}

/** Lists the submitted certificates, newest first (OP-262). */
export async function listCertificates(control: Control): Promise<ControlReply<'listCertificates'>> {
  return { status: 200, body: { items: await control.partners.certificates() } };
}

/** Returns the keys that the operator trusts; `not_found` for other callers (OP-263). */
export async function getTrustedKeys(control: Control): Promise<ControlReply<'getTrustedKeys'>> {
  const items = control.partners.trustedKeys();
  return items === undefined ? { kind: 'not_found' } : { status: 200, body: { items } };
}

/** Replaces the keys that the operator trusts (OP-263). */
export async function replaceTrustedKeys(
  control: Control,
  { body: { items }, trace }: ControlCall<'replaceTrustedKeys'>,
): Promise<ControlReply<'replaceTrustedKeys'>> {
  return (await control.partners.trust(items, trace)) ?? { status: 200, body: { items } };
}
