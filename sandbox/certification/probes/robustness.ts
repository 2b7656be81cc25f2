/** Probes of what a server bears: bodies, HTTP and TLS that are not as usual. */
import type { Probe } from '../probing.ts';
import { robustnessBodyProbes } from './robustness-bodies.ts';
import { robustnessHttpProbes } from './robustness-http.ts';
import { robustnessTlsProbes } from './robustness-tls.ts';

export const robustnessProbes = {
  ...robustnessHttpProbes,
  ...robustnessBodyProbes,
  ...robustnessTlsProbes,
} satisfies Record<string, Probe>;
