/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/signin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Let a customer into the portal
         * @description The platform asks the client for profile and points with this token. If the client accepts it, a portal session
         *     begins and the browser goes on to an address without the token, so that neither history nor a later request
         *     shows it. If not, the customer stays outside and sees why.
         *
         *     A token opens the portal once. Make a new one for each visit; a link that was already followed is refused.
         */
        get: operations["openPortal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A page to read, in HTML. Its words may change. */
        Page: string;
        /** @description The customer's id at the client. */
        Uid: string;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Where the portal is. Token and user id are gone from it. The handle of the session stands behind the `#`, which no browser sends to a server or names as referrer; the page takes it out of the address bar and keeps it. No cookie is set, because a frame on another site might not get it back.
         * @example /portal/#session=Zk3vQ0r7mJt1b8yXw2LhNA
         */
        PortalAddress: string;
        /**
         * @description Neither browser nor proxy keeps this reply.
         * @example no-store
         */
        NotKept: "no-store";
        /**
         * @description The address with the token is named to no other site.
         * @example no-referrer
         */
        NotPassedOn: "no-referrer";
        /**
         * @description Identifies this call in the activity log. Quote it when you ask for help. A caller that sends a W3C `traceparent` header finds its own trace id here.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Whole seconds to wait before the next try.
         * @example 42
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    openPortal: {
        parameters: {
            query: {
                /**
                 * @description The JWT that the customer got from OTP verification.
                 * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDVVNUMDAwNyJ9.Qm9v
                 */
                token: string;
                /**
                 * @description The customer. Must be the subject of the JWT.
                 * @example CUST0007
                 */
                uid: components["schemas"]["Uid"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Let in. Go on to the portal. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    Location: components["headers"]["PortalAddress"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The token or the user id is missing. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Page"];
                };
            };
            /** @description Not let in. The token is not valid for this user, has run out, or was used before. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Page"];
                };
            };
            /** @description The platform failed. */
            500: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Page"];
                };
            };
            /** @description The client gave no usable answer about the customer. */
            502: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Page"];
                };
            };
            /** @description The platform cannot take the call now. */
            503: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Page"];
                };
            };
        };
    };
}
