import { checklistOf } from '../checklist.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';
import { mismatches } from '../mismatches.ts';

/** Shows what a workspace can show of the checklist for going live (OP-257). */
export async function getChecklist(
  control: Control,
  call: ControlCall<'getChecklist'>,
): Promise<ControlReply<'getChecklist'>> {
  await control.store.flush();
  const { settings, urls } = control.workspace();
  const clientUrl = settings.client_url ?? urls.client;
  const entries = control.activity.after(0);
  const ended = control.certifications
    .list()
    .find(({ state, target }) => state === 'ended' && target.client_url === clientUrl);
  const { items: findings } = await control.findings.list({}, call.patience(0));
  // A difference is compared with balances that were read already: the check makes no call.
  const { items: differences } = await mismatches(control, { balances: 'known' }, call.trace);
  const body = checklistOf({
    clientUrl,
    isReference: clientUrl === urls.client,
    allowlist: settings.allowlist,
    certification: ended === undefined ? undefined : control.certifications.get(ended.id),
    findings,
    reliedOn: control.findings.openPoints({ relied_on: 'yes' }).items,
    entries,
    hosted: new Set(
      control.hosted().flatMap(({ operation, hosted_by }) => (hosted_by === 'client' ? [operation] : [])),
    ),
    differences: differences.length,
  });
  return { status: 200, body };
}
