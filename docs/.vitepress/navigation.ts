/** The navigation of the whole site, guides and reference. The build (tools/docs/build.ts) fails if a page or contract is missing here. */

/** The links in the header. */
export const nav = [
  { text: 'Quickstart', link: '/quickstart' },
  { text: 'Build', link: '/what-you-build' },
  { text: 'Test', link: '/test-data' },
  { text: 'Reference', link: '/reference/' },
  { text: 'Errors', link: '/errors' },
  { text: 'Open points', link: '/open-points' },
];

/**
 * Short names of the contracts that partners read. All other contracts serve browsers and operators and are only
 * available as downloads.
 */
export const contracts = {
  rewards: 'Rewards',
  'v2-platform': 'v2.0 platform',
  client: 'Client',
  auth: 'Sign-in',
  'v2-client': 'v2.0 client',
  general: 'General',
  sandbox: 'Control',
  gateway: 'Gateway',
  portal: 'Portal',
};

/** Contracts that had reference pages in earlier versions of this site. */
const downloadsOnly = ['microsite', 'dashboard', 'start', 'proxy', 'operations'];

export interface Section {
  readonly text: string;
  /** Navigation links. Set `target` for pages that VitePress does not render. */
  readonly items: { readonly text: string; readonly link: string; readonly target?: string }[];
}

/** The operations that a client server hosts. Each has its own page. */
export const hostedOperations = [
  'getProfileAndPoints',
  'creditPoints',
  'saveRedeemDetails',
  'updateRedeemStatus',
  'generateOtp',
  'verifyOtp',
  'getCustomerPoints',
  'redeemPoints',
  'reversePoints',
];

/** The sidebar: pages in reading order, then the reference of each contract. */
export const sidebar: Section[] = [
  {
    text: 'Get started',
    items: [
      { text: 'Overview', link: '/' },
      { text: 'Quickstart', link: '/quickstart' },
    ],
  },
  {
    text: 'Build your server',
    items: [
      { text: 'Build your server', link: '/what-you-build' },
      { text: 'Authentication', link: '/authentication' },
      { text: 'Redemptions and points', link: '/redemptions' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Portal and one-time passwords', link: '/portal' },
    ],
  },
  {
    text: 'Operations you host',
    items: hostedOperations.map((id) => ({ text: id, link: `/operations/${id}` })),
  },
  {
    text: 'Test',
    items: [
      { text: 'Test data, magic values, faults', link: '/test-data' },
      { text: 'Test plan', link: '/test-plan' },
      { text: 'Dashboard and inspection', link: '/dashboard' },
      { text: 'CI', link: '/ci' },
      { text: 'Check traffic', link: '/checking-traffic' },
      { text: 'Certify', link: '/certify' },
    ],
  },
  {
    text: 'Go live',
    items: [
      { text: 'Checklist and differences', link: '/going-live' },
      { text: 'Open points', link: '/open-points' },
    ],
  },
  {
    text: 'Operate',
    items: [
      { text: 'Operate a shared sandbox', link: '/operate' },
      { text: 'Security', link: '/security' },
      { text: 'CLI and control API', link: '/command' },
      { text: 'How this sandbox behaves', link: '/behaviour' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'All operations', link: '/reference/' },
      { text: 'Errors', link: '/errors' },
      { text: 'Requirements', link: '/requirements' },
      { text: 'Workflows', link: '/workflows' },
      { text: 'The interface', link: '/interface' },
      { text: 'Downloads', link: '/downloads' },
      { text: 'Changelog', link: '/changelog' },
      ...Object.entries(contracts).map(([api, text]) => ({ text, link: `/reference/${api}`, target: '_self' })),
    ],
  },
];

/** The new address of a removed page and of its sections. */
export interface Moved {
  readonly to: string;
  readonly sections?: Readonly<Record<string, string>>;
}

/** Addresses from earlier versions of this site. Each remains as a page that redirects. */
export const moved: Readonly<Record<string, Moved>> = {
  ...Object.fromEntries(downloadsOnly.map((api) => [`reference/${api}`, { to: '/downloads#contracts' }])),
  'client-servers': {
    to: '/what-you-build#examples',
    sections: { certify: '/what-you-build#send-your-messages-to-the-sandbox' },
  },
  'other-apis': { to: '/what-you-build#version-2' },
  idempotency: { to: '/redemptions#retries' },
  pagination: { to: '/redemptions#catalogue', sections: { '_1000-requests-an-hour': '/redemptions#quota' } },
  'looking-inside': {
    to: '/dashboard#inspect',
    sections: {
      'both-books-compared': '/dashboard#reconciliation',
      'your-own-server-compared': '/dashboard#own-server',
      'waiting-instead-of-sleeping': '/dashboard#wait',
      'the-activity-log': '/dashboard#activity',
    },
  },
  differences: { to: '/going-live#differences' },
  'many-partners': {
    to: '/operate',
    sections: {
      start: '/operate#start',
      share: '/operate#share',
      operate: '/operate#workspaces',
      'hand-out': '/operate#workspaces',
      limits: '/operate#workspaces',
      probes: '/operate#monitor',
      metrics: '/operate#monitor',
      logs: '/operate#monitor',
      systemd: '/operate#systemd',
      compose: '/operate#compose',
      upgrade: '/operate#upgrade',
      sizing: '/operate#capacity',
      tried: '/operate',
    },
  },
  'control-api': {
    to: '/command#control-api',
    sections: {
      workspaces: '/command#workspaces',
      'what-breaks-the-contracts': '/checking-traffic#findings',
      'whether-your-server-is-right': '/command#certifications',
      'lists-come-in-pages': '/command#pages',
      'what-is-kept-and-how-long': '/command#retention',
    },
  },
  speed: { to: '/operate#capacity' },
  statements: { to: '/interface', sections: { 'rules-that-rest-on-open-points': '/interface#assumed' } },
};

/** Sections that left a page that still exists. Their old anchors lead to the new places. */
export const movedSections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ci: {
    'traffic-checks': '/checking-traffic',
    severity: '/checking-traffic#severity',
    statements: '/checking-traffic#statements',
    findings: '/checking-traffic#findings',
    proxy: '/checking-traffic#proxy',
    recording: '/checking-traffic#recording',
    'access-log': '/checking-traffic#access-log',
    pact: '/checking-traffic#pact',
    incomplete: '/checking-traffic#incomplete',
  },
  'checking-traffic': {
    'what-a-finding-rests-on': '/checking-traffic#severity',
    'the-proxy': '/checking-traffic#proxy',
    'a-recording': '/checking-traffic#recording',
    'reports-and-exit-codes': '/ci#exit-codes',
  },
};
