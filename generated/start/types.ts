/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the links of the sandbox
         * @description Returns links to the dashboard, microsite, documentation and control API, without credentials or workspace data.
         */
        get: operations["showStart"];
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
        /** @description A page for browsers, or the links for programs. */
        Start: components["schemas"]["Page"] | components["schemas"]["Links"];
        /** @description The links from the root. */
        Links: {
            /**
             * @description Always `rewards-sandbox`.
             * @constant
             */
            service: "rewards-sandbox";
            /**
             * Format: uri
             * @description The dashboard.
             */
            dashboard: string;
            /**
             * Format: uri
             * @description The microsite of the demo workspace; null if other machines can reach the sandbox. Each workspace then lists its own microsite in `urls`.
             */
            microsite: string | null;
            /**
             * Format: uri
             * @description Base URL of the control API.
             */
            control_api: string;
            /**
             * Format: uri
             * @description The documentation; null if this sandbox does not serve it.
             */
            documentation: string | null;
        };
        /** @description An HTML page for people. Its wording may change. */
        Page: string;
    };
    responses: {
        /** @description The link or form lacks a part, or contains an invalid part. */
        BadLink: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Cache-Control": components["headers"]["NotKept"];
                "Referrer-Policy": components["headers"]["NotPassedOn"];
                "Content-Security-Policy": components["headers"]["ContentPolicy"];
                "X-Content-Type-Options": components["headers"]["NotGuessed"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["Page"];
            };
        };
        /** @description The page could not be generated. */
        Failed: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Cache-Control": components["headers"]["NotKept"];
                "Referrer-Policy": components["headers"]["NotPassedOn"];
                "Content-Security-Policy": components["headers"]["ContentPolicy"];
                "X-Content-Type-Options": components["headers"]["NotGuessed"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["Page"];
            };
        };
        /** @description The site cannot process the call now. */
        Unavailable: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Cache-Control": components["headers"]["NotKept"];
                "Referrer-Policy": components["headers"]["NotPassedOn"];
                "Content-Security-Policy": components["headers"]["ContentPolicy"];
                "X-Content-Type-Options": components["headers"]["NotGuessed"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["Page"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The body depends on `Accept`.
         * @example Accept
         */
        ByAccept: "Accept";
        /**
         * @description Identifies this call in the activity log. Include it in support requests. If you send a W3C `traceparent` header, this is its trace id.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Neither browsers nor proxies store this response.
         * @example no-store
         */
        NotKept: "no-store";
        /**
         * @description Browsers do not send the page's address to other sites.
         * @example no-referrer
         */
        NotPassedOn: "no-referrer";
        /**
         * @description The resources that the page may load, the targets of its forms, and the pages that may frame it. The page contains no inline script or style.
         * @example default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*
         */
        ContentPolicy: string;
        /**
         * @description Browsers must not guess another content type.
         * @example nosniff
         */
        NotGuessed: "nosniff";
        /**
         * @description Seconds to wait before the next attempt.
         * @example 42
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showStart: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links, as a page or as JSON. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Vary: components["headers"]["ByAccept"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Start"];
                    "application/json": components["schemas"]["Start"];
                };
            };
            400: components["responses"]["BadLink"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
}
