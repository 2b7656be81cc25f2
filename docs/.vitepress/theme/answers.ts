/** Shows next to each link to an open point what the other side has answered, in the sandbox that serves the page. */
import { askSandbox } from './published.ts';

/** An answer of `GET /sandbox/v1/open-points/answers`. The configuration of the site imports no project file. */
interface Answer {
  readonly answer: 'agreed' | 'differs' | 'settled';
  readonly by: string;
  readonly date: string;
  readonly text?: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

/** Most characters of a text or a value next to a link. */
const mostCharacters = 80;

/**
 * Adds the answers as generated content of the links, which stays when Redoc or the router draws them again. Nothing without a sandbox,
 * without answers, or where the sandbox wants another token.
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

/** A text of a person as a string of CSS. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\p{L}\p{N} .,:;()-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;
}
