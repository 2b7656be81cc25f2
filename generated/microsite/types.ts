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
         * Ask for the customer id
         * @description Shows the first page. The trailing slash is optional.
         */
        get: operations["showSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a one-time password
         * @description Calls generate-otp. If the client refuses, the microsite returns the first page with the reason.
         */
        post: operations["requestCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask for the one-time password
         * @description Shows the masked number, the remaining attempts, and the time at which another code can be sent.
         */
        get: operations["showCode"];
        put?: never;
        /**
         * Verify the one-time password
         * @description Calls verify-otp. Each failure has its own message: wrong, expired or used code, too many attempts, or a locked customer.
         *     With the correct code, the visit continues under a new URL, which only this response contains.
         */
        post: operations["checkCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request another one-time password
         * @description Calls generate-otp again, at the earliest 30 s after the previous call.
         */
        post: operations["resendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the customer's points and a link to the rewards
         * @description Shows the points that verify-otp returned.
         */
        get: operations["showHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the portal
         * @description With the view `page`, redirects the browser to the portal's entry; with `frame`, returns a page that frames it. A
         *     token opens the portal once, so this works once per sign-in.
         */
        post: operations["enterRewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the visit immediately and deletes the JWT.
         */
        post: operations["leaveMicrosite"];
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
        CustomerForm: {
            customer_id: string;
        };
        CodeForm: {
            /** @description Spaces are ignored. */
            otp: string;
        };
        EnterForm: {
            /** @enum {string} */
            view: "page" | "frame";
        };
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
        /** @description The form is larger than 64 KiB. */
        TooLarge: {
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
        /** @description The body is not a form. */
        NotAForm: {
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
        /** @description The client returned no valid response about the customer. `X-Problem` describes the problem. */
        NoAnswer: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Cache-Control": components["headers"]["NotKept"];
                "Referrer-Policy": components["headers"]["NotPassedOn"];
                "Content-Security-Policy": components["headers"]["ContentPolicy"];
                "X-Content-Type-Options": components["headers"]["NotGuessed"];
                "X-Problem": components["headers"]["ClientProblem"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["Page"];
            };
        };
        /** @description The session does not exist, or has ended. */
        Ended: {
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
         * @description The page for entering the code.
         * @example /microsite/s/4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM/code
         */
        VisitAddress: string;
        /**
         * @description The first page of a signed-in customer; relative to the visit's path if the customer was already signed in.
         * @example /microsite/s/4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM/home
         */
        SignedInAddress: string;
        /**
         * @description The next page, relative to the visit's path, or the first page.
         * @example home
         */
        NextAddress: string;
        /**
         * @description The portal's entry with the token and user id (C1, C2), at the address of the same workspace (OP-63).
         * @example /portal/signin?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDVVNUMDAwNyJ9.Qm9v&uid=CUST0007
         */
        EntryAddress: string;
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
        /**
         * @description The problem with the client's server, which the fixed message does not describe: unreachable, too slow, failed, or an invalid part of its response. The header also links to the fix and names the magic values in the call, if any.
         * @example the client's server: reply /points/balance must be an integer; see /docs/errors#client_no_answer
         */
        ClientProblem: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showSignIn: {
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
            503: components["responses"]["Unavailable"];
        };
    };
    requestCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CustomerForm"];
            };
        };
        responses: {
            /** @description The code was sent. Redirects to the page for entering it. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["VisitAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotAForm"];
            /** @description The request was refused. Returns the page with the reason. */
            422: {
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
            500: components["responses"]["Failed"];
            502: components["responses"]["NoAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    showCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the visit until the visit ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            /** @description Redirects to the page in `Location`. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["NextAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the visit until the visit ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CodeForm"];
            };
        };
        responses: {
            /** @description The customer is signed in. Redirects to the visit's page under its new URL. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["SignedInAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotAForm"];
            /** @description The request was refused. Returns the page with the reason. */
            422: {
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
            500: components["responses"]["Failed"];
            502: components["responses"]["NoAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the visit until the visit ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the page in `Location`. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["NextAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            /** @description The request was refused. Returns the page with the reason. */
            422: {
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
            500: components["responses"]["Failed"];
            502: components["responses"]["NoAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    showHome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the visit until the visit ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            /** @description Redirects to the page in `Location`. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["NextAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    enterRewards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the visit until the visit ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["EnterForm"];
            };
        };
        responses: {
            200: components["responses"]["Shown"];
            /** @description Redirects to the entry of the portal. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["EntryAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotAForm"];
            /** @description The request was refused. Returns the page with the reason. */
            422: {
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
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveMicrosite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the visit until the visit ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the page in `Location`. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["NextAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
}
