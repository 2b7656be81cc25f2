import { checklistOf } from '../checklist.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';
import { mismatches } from '../mismatches.ts';

/** Returns the checklist for going live, with the evidence of the workspace (OP-257). */
export async function getChecklist(
  control: Control,
  call: ControlCall<'getChecklist'>,
): Promise<ControlReply<'getChecklist'>> {
  await control.store.flush();
  const { settings, urls } = control.workspace();
  const { client_url, allowlist } = settings;
  const ended = control.certifications
    .list()
    .find(({ state, target }) => state === 'ended' && target.client_url === client_url);
  const run = ended && control.certifications.get(ended.id);
  const certificate = await control.partners.evidence(client_url);
  const isNewer = certificate !== undefined && (certificate.ended_at ?? '') > (run?.ended_at ?? '');
  const { items: findings } = await control.findings.list({}, call.patience(0));
  // Uses balances that were read earlier, because the checklist makes no calls.
  const { items: differences } = await mismatches(control, { balances: 'known' }, call.trace);
  const body = checklistOf({
    ownServer: client_url === urls.client ? undefined : client_url,
    allowlist,
    certification: isNewer ? certificate : run,
    findings,
    reliedOn: control.findings.openPoints({ relied_on: 'yes' }).items,
    calls: control.activity.after(0).filter((entry) => entry.kind !== 'state'),
    isReconciled: differences.length === 0,
  });
  return { status: 200, body };
}
