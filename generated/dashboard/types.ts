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
         * Open the dashboard
         * @description Shows addresses, credentials, health, findings and recent errors. The trailing slash is optional.
         */
        get: operations["showOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{screen}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a screen
         * @description The page's script selects the content according to the query.
         */
        get: operations["showScreen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redemptions/{redeemCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the timeline of a redemption
         * @description Shows the calls between the parties, with their times and effects. The page's script checks whether the redemption exists.
         */
        get: operations["showRedemption"];
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
        /** @description An HTML page for people. Its wording may change. */
        Page: string;
    };
    responses: {
        /** @description The page. */
        Shown: {
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
        /** @description The dashboard cannot process the call now, or has not yet been built in this checkout. */
        ScreenUnavailable: {
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
        /** @description The page does not exist for this visitor. */
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
    };
    parameters: never;
    requestBodies: never;
    headers: {
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
    showOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            500: components["responses"]["Failed"];
            503: components["responses"]["ScreenUnavailable"];
        };
    };
    showScreen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The screen: traffic, redemptions, outbox, ledger, open-points, simulation, server or partners. Any other name returns 404.
                 * @example traffic
                 */
                screen: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Failed"];
            503: components["responses"]["ScreenUnavailable"];
        };
    };
    showRedemption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The redemption's code.
                 * @example RDM-000001-9K2QX4
                 */
                redeemCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            500: components["responses"]["Failed"];
            503: components["responses"]["ScreenUnavailable"];
        };
    };
}
