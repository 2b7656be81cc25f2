/** Everything that can go wrong with a call, as values: with the request as such, and with what it asks for. */
import type { ClientFailure, PlatformFailure } from '../domain/failures.ts';

/** What can be wrong with any request, before its operation looks at it. */
export type RequestFailure =
  | { readonly kind: 'duplicate_authorization' }
  | { readonly kind: 'malformed_json' }
  | { readonly kind: 'malformed_http' }
  | { readonly kind: 'foreign_host' }
  | { readonly kind: 'foreign_site' }
  | { readonly kind: 'own_call' }
  | { readonly kind: 'body_too_large' }
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'unsupported_media_type' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'method_not_allowed' }
  | { readonly kind: 'internal_error' }
  | { readonly kind: 'workspace_full'; readonly maxBytes: number }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'store_gave_up' };

/** What an API in the flat envelope can answer: those of the platform, and the control API. */
export type FlatFailure = RequestFailure | PlatformFailure;

/** What an API in the wrapped envelope can answer: those that the client hosts. */
export type WrappedFailure = RequestFailure | ClientFailure;
