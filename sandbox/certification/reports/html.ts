/** Renders the report as one self-contained page for phones and printing, and the badge of a certificate as SVG. */

import { readFileSync } from 'node:fs';
import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { printable } from '../../runtime/terminal.ts';
import type { CheckedCertificate } from '../certificate-check.ts';
import { type Cell, columns, matrixOf, verdictNames } from '../matrix.ts';
import {
  balanceWords,
  blockedBy,
  coverageWords,
  failedWords,
  firstIds,
  levelNames,
  outcomeWords,
  unjudgedMandatory,
} from '../report-text.ts';
import type { Failure, Report, RequirementVerdict } from '../verdict.ts';

/** A template tag for HTML or SVG. Interpolated values become text or attribute values, never markup. */
export const html = (
  htm as unknown as { bind(make: typeof h): (text: TemplateStringsArray, ...of: unknown[]) => VNode }
).bind(h);

const marks = { pass: '✓', fail: '✗', blocked: '–', not_applicable: '·', not_selected: '·', suite_error: '!' } as const;

/** Returns the style sheet of the report, with the shared design tokens and an embedded font. */
export function reportStyle(): string {
  const asset = (name: string) => readFileSync(new URL(`../../sites/assets/${name}`, import.meta.url));
  const font = `data:font/woff2;base64,${asset('inter.woff2').toString('base64')}`;
  const style = ['pages/tokens.css', 'pages/font.css', 'report.css'].map(asset).join('');
  return style.replace('inter.woff2', font);
}

/**
 * Renders the report as an HTML document.
 * @param docs the address of the documentation, for links
 */
export function htmlReport(report: Report, docs = 'http://127.0.0.1:4010/docs'): string {
  const html = renderToString(page(report, docs.replace(/\/$/, '')));
  // Escape control characters, so that text from the server cannot hide or reverse other text.
  return `<!doctype html>${html.split('\n').map(printable).join('\n')}\n`;
}

function page(report: Report, docs: string): VNode {
  const { target, counts } = report;
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Certification of ${target.client_url}</title>
      <style dangerouslySetInnerHTML=${{ __html: reportStyle() }} />
    </head>
    <body>
      <header>
        <p class="kind">Certification of a client server</p>
        <h1>${target.client_url}</h1>
        <p class=${`outcome ${report.outcome}`}>${outcomeWords(report)}</p>
        ${coverage(report)}
      </header>
      <main>
        <ul class="counts" aria-label="Verdicts">
          ${Object.entries(verdictNames).map(
            ([word, name]) => html`<li class=${word}><b>${counts[word as keyof typeof counts]}</b> ${name}</li>`,
          )}
        </ul>
        ${matrix(report)} ${failures(report, docs)} ${requirements(report, docs)} ${facts(report)}
      </main>
    </body>
  </html>`;
}

/** Renders the coverage, and the options that would test more requirements. */
function coverage({ coverage: share, verdicts }: Report): VNode {
  const ways = unjudgedMandatory(verdicts).filter(({ option }) => option !== null);
  return html`<div class="coverage">
    <p>Checked: ${coverageWords(share)}.</p>
    ${
      ways.length > 0 &&
      html`<p>To check the remaining mandatory requirements:</p>
        <ul>${ways.map(({ option, ids }) => html`<li><code>${option}</code> for ${firstIds(ids)}</li>`)}</ul>`
    }
  </div>`;
}

function matrix(report: Report): VNode {
  const heads = Object.entries(columns);
  return html`<section aria-labelledby="matrix">
    <h2 id="matrix">Results by operation</h2>
    <div class="wide" tabindex="0" role="region" aria-label="Table of results by operation">
      <table class="matrix">
        <thead>
          <tr><th scope="col">Operation</th>${heads.map(([, head]) => html`<th scope="col">${head}</th>`)}</tr>
        </thead>
        <tbody>
          ${matrixOf(report.verdicts).map(
            ({ name, cells }) => html`<tr>
              <th scope="row">${name}</th>
              ${heads.map(([aspect]) => field(cells[aspect as keyof typeof cells]))}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function field({ worst, passed, of }: Cell): VNode {
  if (worst === undefined) return html`<td><span class="visually-hidden">no requirements</span></td>`;
  const words = of === 0 ? verdictNames[worst] : `${passed} of ${of} passed`;
  return html`<td class=${worst}>
    <span aria-hidden="true">${marks[worst]} ${of > 0 ? `${passed}/${of}` : ''}</span>
    <span class="visually-hidden">${words}</span>
  </td>`;
}

function failures({ failures: all, verdicts, counts }: Report, docs: string): VNode | null {
  if (all.length === 0) return null;
  return html`<section aria-labelledby="failures">
    <h2 id="failures">Failures: ${failedWords(counts.fail, all.length)}</h2>
    ${all.map((failure) => one(failure, verdicts, docs))}
  </section>`;
}

function one(failure: Failure, verdicts: readonly RequirementVerdict[], docs: string): VNode {
  const { requirement, message, pointer, expected, actual, statement, contract, change, again } = failure;
  const { exchanges, breaks } = failure;
  const verdict = verdicts.find(({ id }) => id === requirement);
  const blocked = blockedBy(failure, verdicts);
  return html`<article id=${requirement}>
    <h3><span class="tag fail">${levelNames[verdict?.level ?? 'must']}</span> ${requirement} ${verdict?.title}</h3>
    <p>${message}</p>
    <dl>
      <div><dt>Where</dt><dd><code>${pointer}</code></dd></div>
      <div><dt>Expected</dt><dd>${expected}</dd></div>
      <div><dt>Found</dt><dd>${actual}</dd></div>
      ${breaks.length > 0 && html`<div><dt>Also fails</dt><dd>${breaks.join(', ')}</dd></div>`}
      ${blocked.length > 0 && html`<div><dt>Blocks</dt><dd>${blocked.join(', ')}</dd></div>`}
      <div><dt>Based on</dt><dd><a href=${`${docs}/${failure.docs}`}>${statement}</a>, ${contract.file}:${contract.line}</dd></div>
      <div><dt>Fix</dt><dd>${change}</dd></div>
      <div><dt>Re-run</dt><dd><code>rewards-sandbox certify ${again}</code></dd></div>
    </dl>
    ${exchanges.map(
      ({ curl, status, problem, reply_body }, at) => html`<details open=${at === exchanges.length - 1}>
        <summary>Call ${at + 1} of ${exchanges.length}: ${status ?? problem ?? 'no response'}</summary>
        <pre tabindex="0"><code>${curl}</code></pre>
        ${reply_body !== null && reply_body !== '' && html`<pre tabindex="0"><code>${reply_body}</code></pre>`}
      </details>`,
    )}
  </article>`;
}

function requirements({ verdicts }: Report, docs: string): VNode {
  const groups = [...new Set(verdicts.map(({ group }) => group))];
  return html`<section aria-labelledby="all">
    <h2 id="all">All requirements</h2>
    ${groups.map((group) => {
      const own = verdicts.filter((verdict) => verdict.group === group);
      const passed = own.filter(({ verdict }) => verdict === 'pass').length;
      return html`<details>
        <summary>${group}: ${passed} of ${own.length} passed</summary>
        <ul class="all">
          ${own.map(
            ({ id, title, verdict, reason, option, blocked_by }) => html`<li>
              <span class=${`tag ${verdict}`}>${verdictNames[verdict]}</span>
              <a href=${verdict === 'fail' ? `#${id}` : `${docs}/requirements#${id.toLowerCase()}`}>${id}</a> ${title}
              ${reason !== null && html`<br /><small>${blocked_by !== null ? `Blocked by ${blocked_by}. ` : ''}${reason}${option !== null ? ` To check it: ${option}.` : ''}</small>`}
            </li>`,
          )}
        </ul>
      </details>`;
    })}
  </section>`;
}

function facts(report: Report): VNode {
  const rows = [
    ['Address', report.target.client_url],
    ['API', { v1: 'version 1.0', v2: 'version 2.0', both: 'versions 1.0 and 2.0' }[report.target.api]],
    ['Started', report.started_at],
    ['Finished', report.finished_at],
    ['Calls', String(report.calls)],
    ['Seed', report.seed],
    ['Balances', balanceWords(report)],
    ...report.notes.map((note) => ['Note', note]),
    ['Suite', `rewards-sandbox ${report.suite}`],
    ['Requirements', `${report.requirements}, SHA-256 ${report.requirements_digest}`],
    ['Contracts', `SHA-256 ${report.contracts_digest}`],
    ...(report.answers_digest === undefined ? [] : [['Answers', `SHA-256 ${report.answers_digest}`] as const]),
  ];
  return html`<section aria-labelledby="run">
    <h2 id="run">Run details</h2>
    <dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  </section>`;
}

const tokens: Readonly<Record<string, string>> = { passed: 'good', failed: 'bad' };
/** Average width of a character at this font size. `padding` is the horizontal padding of text. */
const character = 6.6;
const padding = 6;

/** Renders the badge of a certificate. It shows the API, the outcome, the date, and whether a witness signed it. */
export function badge({ claims, signer }: Pick<CheckedCertificate, 'claims' | 'signer'>): string {
  const { outcome, target, issued_at, coverage } = claims;
  const label = `rewards client ${target.api === 'both' ? 'v1 + v2' : target.api}`;
  const certified = signer === 'witnessed' ? 'certified' : 'self-certified';
  const { judged, of } = coverage.mandatory;
  const why = outcome === 'partial' ? `partial, ${judged} of ${of}` : outcome;
  const value = outcome === 'passed' ? `${certified} ${issued_at.slice(0, 10)}` : `not certified (${why})`;
  const widthOf = (text: string) => Math.ceil(text.length * character + 2 * padding);
  const [left, right] = [widthOf(label), widthOf(value)];
  const colour = colourOf(tokens[outcome] ?? 'wait');
  return renderToString(html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width=${left + right}
    height="20"
    role="img"
    aria-label=${`${label}: ${value}`}
  >
    <title>${`${label}: ${value}`}</title>
    <rect width=${left + right} height="20" rx="3" fill=${colour} />
    <path d=${`M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`} fill=${colourOf('ink')} />
    <g fill=${colourOf('surface')} font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
      <text x=${padding} y="14" textLength=${left - 2 * padding}>${label}</text>
      <text x=${left + padding} y="14" textLength=${right - 2 * padding}>${value}</text>
    </g>
  </svg>`);
}

/** Returns the light colour of a design token. The SVG contains the value, because an image cannot load style sheets. */
export function colourOf(token: string): string {
  const css = readFileSync(new URL('../../sites/assets/pages/tokens.css', import.meta.url), 'utf8');
  const [value = ''] = css.split(`--${token}: `, 2)[1]?.split(';', 1) ?? [];
  const [colour] = /#\w{6}/.exec(value) ?? [];
  if (colour === undefined) throw new Error(`there is no colour ${token} among the design tokens`);
  return colour;
}
