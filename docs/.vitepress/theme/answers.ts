/** Shows the other party's answers next to links to open points. The answers come from the sandbox that serves the page. */
import { askSandbox } from './published.ts';

/** An entry of `GET /sandbox/v1/open-points/answers`. Declared here because the site configuration imports no project files. */
interface Answer {
  readonly answer: 'agreed' | 'differs' | 'settled';
  readonly by: string;
  readonly date: string;
  readonly text?: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

/** Maximum length of an answer shown next to a link, in characters. */
const mostCharacters = 80;

/**
 * Adds the answers as generated content of the links, so that they survive a re-render by Redoc or the router. Adds
 * nothing without a sandbox or answers, or if the sandbox rejects the token.
 */
export async function showAnswers(base: string): Promise<void> {
  const reply = await askSandbox(base, '/open-points/answers');
  if (!reply?.ok) return;
  const { answers } = (await reply.json()) as { readonly answers: Readonly<Record<string, Answer>> };
  const sheet = new CSSStyleSheet();
  for (const [id, answer] of Object.entries(answers)) {
    const link = `a[href$=${JSON.stringify(`#${id.toLowerCase()}`)}]:not(.header-anchor, .outline-link)`;
    sheet.insertRule(`${link}::after { content: ${quoted(` (${words(answer)})`)}; white-space: pre-wrap; }`);
  }
  document.adoptedStyleSheets.push(sheet);
}

function words({ answer, by, date, text, value }: Answer): string {
  const content = text ?? (value && JSON.stringify(value));
  return `${answer} on ${date} by ${by}${content === undefined ? '' : `: ${content.slice(0, mostCharacters)}`}`;
}

/** Returns user-provided text as a quoted CSS string. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\p{L}\p{N} .,:;()-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;
}
