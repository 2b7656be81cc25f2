import type { HeaderList, LoggedHeaders } from './activity-entry.ts';
import { hasSecret, hidden, maskUrl, personal, secret, secretParameter } from './masking.ts';

/** Most headers of a message that are logged, most characters of all of them, and of one name and one value. */
export const headerLimits = { count: 40, characters: 2048, name: 64, value: 200 } as const;

/** Names of credentials, in addition to those of fields and parameters. */
const credential =
  /(^|[-_])(token|secret|otp|password|pin|jwt|session|auth|cert)([-_]|$)|cookie|(api|access|private|signing)[-_]?key|own-call/;

/** Headers of a connection, and the real time, which is not the sandbox's: they differ between equal calls. */
const ofConnection = new Set(['connection', 'keep-alive', 'date']);

/** What `maskUrl` and `hasSecret` search for: a quick test that a value holds no secret. */
const suspect =
  /token|secret|otp|password|pin|jwt|authorization|session|[/\\]s[/\\]|eyJ|_sandbox_|key|signature|[%@?#&;]/i;
const address = /^(\/|https?:\/\/)/i;

/** The scheme of a credential is logged: servers often get it wrong. */
const scheme = /^(basic|bearer|digest) +(?=\S)/i;

/**
 * Returns headers that are safe to store, in time linear in the stored size. A value is cut before it is masked, so the
 * part cut off costs nothing.
 */
export function loggedHeaders(sent: HeaderList): LoggedHeaders {
  const logged: Record<string, string> = {};
  let characters = 0;
  let count = 0;
  let seen = 0;
  for (const [sentName, value] of sent) {
    const whole = sentName.toLowerCase();
    seen += 1;
    if (ofConnection.has(whole)) continue;
    const name = whole.length <= headerLimits.name ? whole : marked(whole.slice(0, headerLimits.name), whole.length);
    const masked = maskValue(whole, value);
    characters += name.length + masked.length;
    if (count >= headerLimits.count || characters > headerLimits.characters) {
      logged['…'] = `${sent.length - seen + 1} more`;
      break;
    }
    count += 1;
    // An assignment to this name would set the prototype.
    if (name === '__proto__') continue;
    const earlier = logged[name];
    logged[name] = typeof earlier === 'string' ? `${earlier}, ${masked}` : masked;
  }
  return logged;
}

function maskValue(name: string, value: string): string {
  if (value === '') return value;
  if (credential.test(name) || secret.test(name) || secretParameter.test(name)) return maskCredential(value);
  if (personal.test(name)) return hidden(value, true);
  const start = value.slice(0, headerLimits.value);
  const masked = suspect.test(start) ? maskText(start) : start;
  return start.length < value.length ? marked(masked, value.length) : masked;
}

function maskText(text: string): string {
  if (address.test(text)) return maskUrl(text);
  return hasSecret(text) ? hidden(text) : text;
}

function maskCredential(value: string): string {
  const [named = ''] = scheme.exec(value) ?? [];
  // Each character of a header is one byte.
  return `${named}string of ${value.length - named.length} (masked)`;
}

function marked(text: string, length: number): string {
  return `${text}… (${length} characters)`;
}
