/**
 * The navigation of the whole site, guides and reference. A page or contract that is not here fails the build
 * (tools/docs/build.ts).
 */

/** The links in the header. */
export const nav = [
  { text: 'Quickstart', link: '/quickstart' },
  { text: 'Reference', link: '/reference/' },
  { text: 'Test data', link: '/test-data' },
  { text: 'Errors', link: '/errors' },
  { text: 'Interface', link: '/interface' },
  { text: 'Open points', link: '/open-points' },
];

/** What contracts are called where there is no room for their titles. */
const contracts = {
  rewards: 'Rewards',
  'v2-platform': 'v2.0 platform',
  client: 'Client',
  auth: 'Sign-in',
  'v2-client': 'v2.0 client',
  general: 'General',
  sandbox: 'Control',
  gateway: 'Gateway',
  portal: 'Portal',
  microsite: 'Microsite',
  dashboard: 'Dashboard',
  assets: 'Assets',
  proxy: 'Proxy',
  operations: 'Operations',
};

export interface Section {
  readonly text: string;
  /** A link with a target leads to what is not drawn by the guides. */
  readonly items: { readonly text: string; readonly link: string; readonly target?: string }[];
}

/** The pages in reading order, then the reference of each contract. */
export const sidebar: Section[] = [
  {
    text: 'Start',
    items: [
      { text: 'Start here', link: '/' },
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'What you build, what we host', link: '/what-you-build' },
      { text: 'A client server to start from', link: '/client-servers' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Authentication and keys', link: '/authentication' },
      { text: 'Portal and one-time passwords', link: '/portal' },
      { text: 'How a redemption ends', link: '/redemptions' },
      { text: 'Idempotency and retries', link: '/idempotency' },
      { text: 'Pagination and quota', link: '/pagination' },
      { text: 'Events and webhooks', link: '/webhooks' },
      { text: 'Version 2.0 and the general API', link: '/other-apis' },
    ],
  },
  {
    text: 'Testing',
    items: [
      { text: 'Dashboard', link: '/dashboard' },
      { text: 'Looking inside', link: '/looking-inside' },
      { text: 'Test data and magic values', link: '/test-data' },
      { text: 'Errors', link: '/errors' },
      { text: 'Journeys as workflows', link: '/workflows' },
      { text: 'Checking traffic', link: '/checking-traffic' },
      { text: 'Certify your server', link: '/certify' },
      { text: 'Continuous integration', link: '/ci' },
      { text: 'Going live', link: '/going-live' },
      { text: 'For many partners', link: '/many-partners' },
      { text: 'Security', link: '/security' },
      { text: 'Differs from production', link: '/differences' },
    ],
  },
  {
    text: 'Look up',
    items: [
      { text: 'Downloads', link: '/downloads' },
      { text: 'Control API', link: '/control-api' },
      { text: 'The command', link: '/command' },
      { text: 'The interface', link: '/interface' },
      { text: 'What traffic shows', link: '/statements' },
      { text: 'Open points', link: '/open-points' },
      { text: 'Requirements', link: '/requirements' },
      { text: 'Speed', link: '/speed' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'All operations', link: '/reference/' },
      ...Object.entries(contracts).map(([api, text]) => ({ text, link: `/reference/${api}`, target: '_self' })),
    ],
  },
];
