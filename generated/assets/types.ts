/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A style sheet or script
         * @description Pages link to it; you do not need to call it.
         */
        get: operations["getAsset"];
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
        /** @description Text of a style sheet or script. */
        Text: string;
        /** @description An HTML page for people. Its wording may change. */
        Page: string;
    };
    responses: {
        /** @description The link or form lacks a part, or contains an invalid one. */
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
        /** @description Page not found for this visitor. */
        NotFound: {
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
        /** @description The site cannot take the call now. */
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
         * @description A file under this name never changes.
         * @example public, max-age=31536000, immutable
         */
        Kept: "public, max-age=31536000, immutable";
        /**
         * @description The text is compressed (gzip) if the client accepts it; caches store both variants separately.
         * @example Accept-Encoding
         */
        ByEncoding: "Accept-Encoding";
        /**
         * @description Identifies this call in the activity log. Include it in support requests. If you send a W3C `traceparent` header, this is its trace id.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Browsers must not guess another content type.
         * @example nosniff
         */
        NotGuessed: "nosniff";
        /**
         * @description Neither browsers nor proxies store this response.
         * @example no-store
         */
        NotKept: "no-store";
        /**
         * @description The page's address is not sent to other sites.
         * @example no-referrer
         */
        NotPassedOn: "no-referrer";
        /**
         * @description What the page may load, where its forms may go and who may frame it. There is no inline script and no inline style.
         * @example default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*
         */
        ContentPolicy: string;
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
    getAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name, including a digest of the contents.
                 * @example pages-0f8b2c4d6e1a.css
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["Kept"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Vary: components["headers"]["ByEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "text/css": components["schemas"]["Text"];
                    "text/javascript": components["schemas"]["Text"];
                    "image/svg+xml": components["schemas"]["Text"];
                };
            };
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
}
