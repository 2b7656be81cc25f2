/* Written by `npm run generate` from openapi/. Do not edit. */
export { createRewardsClient, type RewardsClient } from './rewards/client.ts';
export { createV2PlatformClient, type V2PlatformClient } from './v2-platform/client.ts';
export { createClientClient, type ClientClient } from './client/client.ts';
export { createAuthClient, type AuthClient } from './auth/client.ts';
export { createV2ClientClient, type V2ClientClient } from './v2-client/client.ts';
export { createGeneralClient, type GeneralClient } from './general/client.ts';
export { createSandboxClient, type SandboxClient } from './sandbox/client.ts';
export { createGatewayClient, type GatewayClient } from './gateway/client.ts';
export { createPortalClient, type PortalClient } from './portal/client.ts';
export { createMicrositeClient, type MicrositeClient } from './microsite/client.ts';
export { createDashboardClient, type DashboardClient } from './dashboard/client.ts';
export { createStartClient, type StartClient } from './start/client.ts';
export { createProxyClient, type ProxyClient } from './proxy/client.ts';
export { createOperationsClient, type OperationsClient } from './operations/client.ts';
export { type Credentials, renewedToken, type TokenSource } from './tokens.ts';
