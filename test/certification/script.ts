/** Calls that reveal each mistake of a server, by the area of the mistake. */

import type { MistakeArea } from '../harness/partner/mistakes.ts';
import { credit, paths, plain, record, times, update, without } from './bodies.ts';
import { basic, envelopes, shapes, signing, tokens } from './script-access.ts';
import type { CallOptions, Talk } from './talking.ts';

const { profile, credits, saves, updates, redeem, reverse } = paths;

async function crediting(talk: Talk): Promise<void> {
  await talk.call('first', credits, { body: credit('T-1') });
  await talk.call('repeated', credits, { body: credit('T-1') });
  await talk.call('other points', credits, { body: credit('T-1', { points: '30' }) });
  await talk.call('other amount', credits, { body: credit('T-1', { paymentAmount: '1' }) });
  await talk.callConcurrently(
    'concurrently',
    credits,
    times(10, () => ({ body: credit('T-2') })),
  );
  for (const points of ['12abc', '-5', '10.5', '1e3', '', ' 5', '05', '1'.repeat(16)]) {
    await talk.call(`of ${points}`, credits, { body: credit(`T-of-${points.length}${points.at(0)}`, { points }) });
  }
  await talk.call('of none', credits, { body: credit('T-3', { points: '0' }) });
  await talk.call('for nobody', credits, { body: credit('T-4', { uid: 'NOBODY' }) });
  await talk.callAndAbort(credits, credit('T-5'));
  await talk.call('after a lost reply', credits, { body: credit('T-5') });
  for (const name of Object.keys(credit(''))) {
    await talk.call(`without ${name}`, credits, { body: without(credit(`T-${name}`), name) });
  }
  await talk.call('after', profile);
}

async function deducting(talk: Talk): Promise<void> {
  const save = (name: string, body: object, sent: CallOptions = {}) => talk.call(name, saves, { ...sent, body });
  await save('first', record('R-1'));
  await save('repeated', record('R-1'));
  await save('other points', plain('R-1', 500));
  await save('other product', record('R-1', { productCode: 'PHY-2' }));
  await talk.callConcurrently(
    'concurrently',
    saves,
    times(10, () => ({ body: record('R-2') })),
  );
  await save('not in sum', record('R-3', { totalPointWithProcessingFee: '1020' }));
  await save('not in sum within', record('R-3', { totalpoints: '1000', totalPointWithProcessingFee: '1049' }));
  await save('beyond', plain('R-4', 500, { uid: 'POOR' }));
  await talk.call('what is left', '/getProfileAndPoints?uid=POOR');
  const poor = times(10, (index) => ({ body: plain(`R-P${index}`, 40, { uid: 'POOR' }) }));
  await talk.callConcurrently('concurrent overdraft', saves, poor);
  await talk.call('what is left then', '/getProfileAndPoints?uid=POOR');
  await save('negative', plain('R-5', '-500'));
  const number = { redeemPoints: 500, totalpoints: 500, totalPointWithProcessingFee: 500 };
  await save('numbers', plain('R-6', 500, number));
  await save('nobody', record('R-7', { uid: 'NOBODY' }));
  await save('foreign scheme', record('R-8', { scheme: 'OTHER' }));
  await save('another customer', record('R-9'), { auth: `Bearer ${talk.target.tokens.BOB}` });
  await save('by the customer', record('R-10'), { auth: `Bearer ${talk.target.tokens.ANN}` });
  for (const redeemStatus of ['Pending', 'delivered']) {
    await save(`as ${redeemStatus}`, record(`R-${redeemStatus}`, { redeemStatus }));
  }
  await save('with a fraction', plain('R-11', '500.5'));
  for (const name of ['scheme', 'productCode', 'productName'])
    await save(`empty ${name}`, record('R-12', { [name]: '' }));
  await talk.callAndAbort(saves, record('R-13'));
  await save('after a lost reply', record('R-13'));
  await talk.call('rejected', updates, { body: update('R-1', 'Rejected') });
  await save('after the end', record('R-1'));
  for (const name of Object.keys(record(''))) await save(`without ${name}`, without(record(`R-${name}`), name));
  await talk.call('after', profile);
}

async function reporting(talk: Talk): Promise<void> {
  const report = (name: string, body: object) => talk.call(name, updates, { body });
  const codes = ['D', 'R', 'B', 'P', 'L', 'M', 'S', 'G'];
  for (const code of codes) await talk.call(`save ${code}`, saves, { body: record(code) });
  await report('pending', update('P', 'Pending'));
  await report('pending, then rejected', update('P', 'Rejected'));
  for (const name of ['delivered', 'delivered again']) await report(name, update('D', 'Delivered'));
  await report('rejected after delivered', update('D', 'Rejected'));
  for (const name of ['rejected', 'rejected again'])
    await report(name, update('R', 'Rejected', { remark: 'None left' }));
  await report('delivered after rejected', update('R', 'Delivered'));
  await talk.callConcurrently(
    'rejected concurrently',
    updates,
    times(10, () => ({ body: update('B', 'Rejected') })),
  );
  await talk.callAndAbort(updates, update('G', 'Rejected'));
  await report('rejected after a lost reply', update('G', 'Rejected'));
  await talk.call('a large one', saves, { body: plain('W', 13_000) });
  await report('a large one rejected', update('W', 'Rejected'));
  await talk.call('spent after that', saves, { body: plain('W2', 13_000) });
  await report('lower case', update('L', 'rejected'));
  await report('unlike', update('S', 'Rejected', { orderStatus: 'Delivered' }));
  await report('foreign project', update('S', 'Rejected', { projectCode: 'OTHER' }));
  await report('unknown', update('U', 'Delivered'));
  await report('rejected before', update('T', 'Rejected'));
  await talk.call('deducted after', saves, { body: record('T') });
  for (const name of Object.keys(update('', ''))) {
    await report(`without ${name}`, without(update('M', 'Delivered'), name));
  }
  await talk.call('after', profile);
}

async function secondVersion(talk: Talk): Promise<void> {
  const points = (name: string) => talk.call(name, '/api/v1/customer/points?customer_id=ANN', { method: 'GET' });
  const line = (redeem_code: string, more: object = {}) => {
    return { body: { customer_id: 'ANN', order_id: 'ORD-1', redeem_code, points: 500, ...more } };
  };
  const back = (redeem_code: string, more: object = {}) => ({
    body: { redeem_code, points: 500, reason: '', ...more },
  });
  await points('points');
  for (const name of ['redeem', 'redeem again']) await talk.call(name, redeem, line('V-1'));
  await talk.call('other points', redeem, line('V-1', { points: 400 }));
  await talk.callConcurrently(
    'redeem concurrently',
    redeem,
    times(10, () => line('V-2')),
  );
  await talk.call('beyond', redeem, line('V-3', { customer_id: 'POOR' }));
  const poor = times(10, (index) => line(`V-P${index}`, { customer_id: 'POOR', points: 40 }));
  await talk.callConcurrently(
    'concurrent overdraft',
    redeem,
    poor.map(({ body }) => ({ body })),
  );
  await talk.call('text', redeem, line('V-4', { points: '500' }));
  await talk.call('negative', redeem, line('V-4', { points: -500 }));
  await talk.call('no order', redeem, line('V-7', { order_id: undefined }));
  await talk.call('points of nobody', '/api/v1/customer/points?customer_id=NOBODY', { method: 'GET' });
  await talk.callAndAbort(redeem, line('V-8').body);
  await talk.call('after a lost reply', redeem, line('V-8'));
  await talk.call('reverse for a customer', reverse, { ...back('V-1'), auth: `Bearer ${talk.target.tokens.ANN}` });
  await talk.call('reverse other points', reverse, back('V-1', { points: 501 }));
  for (const name of ['reverse', 'reverse again']) await talk.call(name, reverse, back('V-1'));
  await talk.call('redeem after its reversal', redeem, line('V-1'));
  await talk.callConcurrently(
    'reverse concurrently',
    reverse,
    times(10, () => back('V-2')),
  );
  await talk.call('reverse the unknown', reverse, back('V-5'));
  await talk.call('redeem after that', redeem, line('V-5'));
  await talk.call('save', saves, { body: record('V-6') });
  await points('points after a deduction of version 1.0');
}

async function robust(talk: Talk): Promise<void> {
  await talk.call('save', saves, { body: record('R-1') });
  await talk.call('extra', credits, { body: credit('T-1', { extra: { deep: [1] } }) });
  for (const method of ['HEAD', 'OPTIONS', 'GET', 'DELETE']) await talk.call(method, profile, { method });
  await talk.call('no path', '/nothing');
  await talk.call('empty', credits, { body: '' });
  await talk.call('no JSON', credits, { body: '{"uid":' });
  await talk.call('an array', credits, { body: '[]' });
  await talk.call('null', credits, { body: 'null' });
  await talk.call('encoded', '/getProfileAndPoints?uid=%41NN');
  await talk.call('beyond ASCII', '/getProfileAndPoints?uid=Zo%C3%AB');
  await talk.call('long header', profile, { headers: { 'x-long': 'x'.repeat(4000) } });
  await talk.call('chunked', credits, { body: credit('T-4'), chunked: true });
  await talk.call('70 KiB', credits, { body: credit('T-2', { more: 'x'.repeat(70 * 1024) }) });
  await talk.call('text', credits, { type: 'text/plain', body: JSON.stringify(credit('T-3')) });
  await talk.callConcurrently(
    '50 concurrent calls',
    profile,
    times(50, () => ({})),
  );
  await talk.call('after', profile);
}

/** The calls of each area. */
export const script: Readonly<Record<MistakeArea, (talk: Talk) => Promise<void>>> = {
  tokens,
  basic,
  envelopes,
  shapes,
  credits: crediting,
  deductions: deducting,
  status: reporting,
  otp: signing,
  v2: secondVersion,
  robustness: robust,
};
