/** Calls that reveal mistakes about credentials, envelopes and shapes. */
import { credit, paths, record, times, update } from './bodies.ts';
import type { Talk } from './talking.ts';

const { profile, credits, saves, updates, generate, verify } = paths;

/** Tokens of every kind, good and bad. */
export async function tokens(talk: Talk): Promise<void> {
  const { ANN, BOB, ended } = talk.target.tokens;
  const [head, payload, signature] = ANN.split('.');
  const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  const altered = `${head}.${b64({ ...claims, exp: claims.exp + 60 })}.${signature}`;
  const sent: Record<string, string | null> = {
    service: talk.service,
    own: `Bearer ${ANN}`,
    "another's": `Bearer ${BOB}`,
    ended: `Bearer ${ended}`,
    none: null,
    bare: talk.target.serviceToken,
    longer: `${talk.service}x`,
    nonsense: 'Bearer nonsense',
    'no JWT': 'Bearer a.b.c',
    unsigned: `Bearer ${b64({ alg: 'none' })}.${payload}.`,
    altered: `Bearer ${altered}`,
  };
  for (const [name, auth] of Object.entries(sent)) await talk.call(name, profile, { auth });
  await talk.call('credit for JWT', credits, { auth: `Bearer ${ANN}`, body: credit('T-1') });
  await talk.call('refused credit', credits, { auth: 'Bearer nonsense', body: credit('T-2') });
  await talk.call('bad token, bad body', credits, { auth: 'Bearer nonsense', body: {} });
  await talk.call('after', profile);
}

/** Basic credentials, good and bad. */
export async function basic(talk: Talk): Promise<void> {
  const { username, password } = talk.target.basic;
  const body = { customer_id: 'ANN' };
  const of = (name: string, secret: string) => `Basic ${btoa(`${name}:${secret}`)}`;
  await talk.call('right', generate, { auth: talk.basic, body });
  await talk.call('password', generate, { auth: of(username, 'wrong'), body });
  await talk.call('user name', generate, { auth: of('wrong', password), body });
  await talk.call('none', generate, { auth: null, body });
  await talk.call('bearer', generate, { body });
  const { reference_id } = await talk.call('sent', generate, { auth: talk.basic, body });
  const reference = String(reference_id);
  await talk.call('sent by nobody', generate, { auth: null, body });
  const otp = (await talk.target.codeOf(reference, 'ANN')) ?? '000000';
  await talk.call('still good', verify, { auth: talk.basic, body: { ...body, otp, reference_id: reference } });
}

/** Refusals of three kinds. */
export async function envelopes(talk: Talk): Promise<void> {
  await talk.call('token', profile, { auth: 'Bearer nonsense' });
  await talk.call('mandatory', updates, { body: {} });
  await talk.call('unknown', updates, { body: update('R-unknown', 'Delivered') });
}

/** One success of each shape. */
export async function shapes(talk: Talk): Promise<void> {
  await talk.call('profile', profile);
  await talk.call('profile of nobody', '/getProfileAndPoints');
  await talk.call('credit', credits, { body: credit('T-1') });
  await talk.call('save', saves, { body: record('R-1') });
  await talk.call('update', updates, { body: update('R-1', 'Delivered') });
}

/** Codes, good and bad. */
export async function signing(talk: Talk): Promise<void> {
  const sign = (name: string, customer_id: string, otp: string, reference_id: string) =>
    talk.call(name, verify, { auth: talk.basic, body: { customer_id, otp, reference_id } });
  const code = async (name: string, uid: string) => {
    const { reference_id } = await talk.call(name, generate, { auth: talk.basic, body: { customer_id: uid } });
    const reference = String(reference_id);
    return [(await talk.target.codeOf(reference, uid)) ?? '000000', reference] as const;
  };
  const wrong = (otp: string) => `${otp.slice(0, 5)}${(Number(otp.slice(5)) + 1) % 10}`;
  const [first, reference] = await code('sent', 'ANN');
  await sign('another customer', 'BOB', first, reference);
  await sign('nobody', 'NOBODY', first, reference);
  await sign('no reference', 'ANN', first, 'OTP-unknown');
  await sign('wrong', 'ANN', wrong(first), reference);
  await sign('right', 'ANN', first, reference);
  await sign('again', 'ANN', first, reference);
  const [older, olderReference] = await code('sent before', 'BOB');
  const [newest, newestReference] = await code('sent after', 'BOB');
  await sign('older', 'BOB', older, olderReference);
  for (const index of times(6, String)) await sign(`guess ${index}`, 'BOB', wrong(newest), newestReference);
  await sign('after guesses', 'BOB', newest, newestReference);
  await talk.call('sent to nobody', generate, { auth: talk.basic, body: { customer_id: 'NOBODY' } });
  const [late, lateReference] = await code('sent for later', 'ANN');
  await talk.target.pass(301);
  await sign('late', 'ANN', late, lateReference);
  await talk.call('sent to no name', generate, { auth: talk.basic, body: {} });
  const [, unnamed] = await code('sent for no code', 'ANN');
  await talk.call('no code', verify, { auth: talk.basic, body: { customer_id: 'ANN', reference_id: unnamed } });
  const [, guessed] = await code('sent for a guess', 'ANN');
  await sign('000000', 'ANN', '000000', guessed);
  talk.results['another code each time'] = new Set([first, older, newest]).size > 1;
}
