import { isOfSandbox } from './published.ts';
import { siteAddress } from './versions.ts';

/** The address used in samples: a local sandbox on its default port. */
const written = /http:\/\/(?:127\.0\.0\.1|localhost):4010/g;

/** Replaces the address in the samples with the origin of the serving sandbox, so that readers can copy them unchanged. */
export async function servedFromHere(): Promise<void> {
  if (/^(?:127\.0\.0\.1|localhost):4010$/.test(location.host) || !(await isOfSandbox(siteAddress()))) return;
  for (const code of document.querySelectorAll('.vp-doc code, .vp-doc a')) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode())
      if (text.nodeValue !== null) text.nodeValue = text.nodeValue.replaceAll(written, location.origin);
    const href = code.getAttribute('href');
    if (href !== null) code.setAttribute('href', href.replaceAll(written, location.origin));
  }
}
