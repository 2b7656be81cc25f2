/** A connector for servers of a test on loopback. */
import { guardedConnector, systemResolve } from '../../sandbox/http-client/connecting.ts';
import { outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { localAddresses } from '../../sandbox/runtime/caller.ts';
import { nowhere } from '../harness/nowhere.ts';

const { connectTimeout: timeout } = outgoingTerms;
export const loopback = guardedConnector({ allowed: localAddresses, resolve: systemResolve, timeout, own: nowhere });
