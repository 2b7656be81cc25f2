/** The pages in reading order. A page that is not here fails the build (tools/docs/build.ts). */
export const sidebar = [
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
      { text: 'All operations', link: '/reference/' },
      { text: 'Downloads', link: '/downloads' },
      { text: 'Control API', link: '/control-api' },
      { text: 'The command', link: '/command' },
      { text: 'The interface', link: '/interface' },
      { text: 'Open points', link: '/open-points' },
      { text: 'Requirements', link: '/requirements' },
      { text: 'Speed', link: '/speed' },
      { text: 'Changelog', link: '/changelog' },
    ],
  },
];
