/** All forged, altered and malformed certificates. */
import { contradictions, malformedClaims, unprintableClaims } from './forged-claims.ts';
import { brokenParts, forgedKeys } from './forged-forms.ts';

/** A certificate that a reader must reject, and the expected reason. */
export interface Tampered {
  readonly title: string;
  readonly text: string;
  readonly reason: string | RegExp;
}

export const tampered: readonly Tampered[] = await Promise.all(
  [...forgedKeys, ...brokenParts, ...contradictions, ...malformedClaims, ...unprintableClaims].map(
    async ([title, make, reason]) => ({ title, text: await make(), reason }),
  ),
);
