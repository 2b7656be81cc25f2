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
         * Show how to open the portal
         * @description The portal opens with a token, so this page links to the microsite for sign-in. The trailing slash is optional.
         */
        get: operations["showEntrance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Let a customer into the portal
         * @description The platform validates the token with the client's `getProfileAndPoints`. If the client accepts it, the portal opens
         *     a session and redirects the browser to a URL without the token, so that neither the browser history nor later
         *     requests contain the token (OP-34). Otherwise, the portal refuses entry and shows the reason (OP-34).
         *
         *     A token opens the portal once. Create a new one for each visit; the portal refuses a link that was already followed
         *     (OP-34).
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
    "/ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show that the visit has ended
         * @description Confirms that the visit has ended. The page contains no personal data.
         */
        get: operations["showPortalEnd"];
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
        /**
         * Show profile, balance and catalogue
         * @description Shows one page of rewards with their prices in points and rupees, filtered by type, name and balance. Denominations
         *     of one voucher and colours of one product share a card (OP-183).
         */
        get: operations["showRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/rewards/{sku}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a reward
         * @description Shows the reward, its price, and a field for the quantity.
         */
        get: operations["showReward"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check out
         * @description Shows the points of the whole order next to the balance, the address form for a product, and the order button. If
         *     the balance is too low, the page shows a message instead of the button (G12).
         */
        get: operations["showCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place the order
         * @description Places an order for one reward, under the same rules as the API (OP-05). A repeated request, concurrent or
         *     later, creates no second order: it redirects to the page of the first order (OP-20).
         */
        post: operations["placePortalOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/orders/{order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an order
         * @description Shows the status of the order (pending, delivered or rejected) and of its points. With `seen` and `wait`, the portal
         *     responds as soon as the status differs from `seen`. Without JavaScript, the page reloads itself.
         */
        get: operations["showPortalOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/orders/{order_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Cancels every Pending line whose vendor agrees. The client receives `Rejected` for each cancelled line and
         *     refunds its points. Lines with a final status stay unchanged. A repeated request receives the same response.
         */
        post: operations["cancelPortalOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{session}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the customer's history
         * @description Lists the platform's records: payments that earned points (Earned), and redemptions as Pending, Redeemed or
         *     Reversed. The totals are those of the client's ledger.
         */
        get: operations["showHistory"];
        put?: never;
        post?: never;
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
         * End the visit
         * @description Ends the session immediately, in every tab. A new visit requires a new token.
         */
        post: operations["leavePortal"];
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
        /** @description 32 hexadecimal digits */
        FormKey: string;
        OrderForm: {
            form_key: components["schemas"]["FormKey"];
            sku: string;
            /** @description 1 to 10 */
            quantity: string;
            /** @description House, street and city. For products only. */
            address?: string;
            /** @description Six digits. For products only. */
            pincode?: string;
            /** @description The state's GST code. For products only. */
            state?: string;
        };
        /** @description An HTML page for people. Its wording may change. */
        Page: string;
        /** @description The JWT of the customer. It contains visible ASCII characters only (OP-80). */
        TokenText: string;
        /** @description Unique id of the customer. */
        Uid: string;
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
        /** @description The form was already sent with other values. This call had no effect. */
        AlreadyUsed: {
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
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The URL of the rewards page. It contains neither token nor user id; the session's handle is part of the path. No cookie is set, because a browser might withhold it from a frame on another site.
         * @example /portal/s/4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM/rewards
         */
        PortalAddress: string;
        /**
         * @description The URL of the order, relative to the session's path.
         * @example orders/ORD-000001-7F3K
         */
        OrderAddress: string;
        /**
         * @description The URL of the order, relative to the URL of the cancellation.
         * @example ../ORD-000001-7F3K
         */
        SameOrderAddress: string;
        /**
         * @description The page that confirms the end of the visit.
         * @example /portal/ended
         */
        EndAddress: "/portal/ended";
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
        /** @description `true` if this is the stored response to an earlier call with the same `Idempotency-Key`. */
        IdempotentReplay: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showEntrance: {
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
    openPortal: {
        parameters: {
            query: {
                /**
                 * @description The customer's authentication token. It is the JWT of OTP verification (OP-34).
                 * @example eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDVVNUMDAwNyJ9.Qm9v
                 */
                token: components["schemas"]["TokenText"];
                /**
                 * @description Unique id of the customer. It must be the subject of the JWT (OP-19).
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
            /** @description The customer is admitted. Redirects to the rewards. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["PortalAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            /** @description Access denied. The token is not valid for this user, has expired, or was used before. The page names the workspace that checked the token. */
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
    showPortalEnd: {
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
    showRewards: {
        parameters: {
            query?: {
                /**
                 * @description Only gift vouchers or only products. Optional. Defaults to both.
                 * @example egv
                 */
                type?: "" | "egv" | "physical";
                /**
                 * @description Words that the name or the SKU must contain.
                 * @example coffee
                 */
                q?: string;
                /**
                 * @description Only rewards that are available and within the balance. Optional. Defaults to all.
                 * @example balance
                 */
                within?: "" | "balance";
                /**
                 * @description The page number, starting at 1.
                 * @example 1
                 */
                page?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            502: components["responses"]["NoAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    showReward: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
                /**
                 * @description The reward's code.
                 * @example EGV-SPICE-500
                 */
                sku: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            502: components["responses"]["NoAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    showCheckout: {
        parameters: {
            query: {
                /**
                 * @description The reward's code.
                 * @example EGV-SPICE-500
                 */
                sku: string;
                /**
                 * @description The quantity, 1 to 10.
                 * @example 1
                 */
                quantity: number;
                /**
                 * @description Identifies one order attempt. Two forms with the same key create one order.
                 * @example 0f8b2c4d6e1a39575c7e9b1d3f5a7081
                 */
                form_key: components["schemas"]["FormKey"];
            };
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            502: components["responses"]["NoAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    placePortalOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["OrderForm"];
            };
        };
        responses: {
            /** @description The order was placed. Redirects to the order. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["OrderAddress"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadyUsed"];
            410: components["responses"]["Ended"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["NotAForm"];
            /** @description Nothing was ordered. The page gives the reason, or repeats the form if a field is invalid. */
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
    showPortalOrder: {
        parameters: {
            query?: {
                /**
                 * @description The status that the requesting page shows.
                 * @example Pending
                 */
                seen?: string;
                /**
                 * @description Maximum number of seconds of real time to wait for a change.
                 * @example 20
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
                /**
                 * @description The order.
                 * @example ORD-000001-7F3K
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelPortalOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
                /**
                 * @description The order.
                 * @example ORD-000001-7F3K
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order was cancelled. Redirects to the order. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["SameOrderAddress"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadLink"];
            404: components["responses"]["NotFound"];
            /** @description The order can no longer be cancelled. The page shows the reason. */
            409: {
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
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    showHistory: {
        parameters: {
            query?: {
                /**
                 * @description The first row to show, as in the link to older rows. Defaults to the newest.
                 * @example WyIwMDAwMDAwMDAwMDAwMDAwLTAwMDAwMDAwMDAwMCIsInBheW1lbnQiXQ.sTjlMBuqPaUq4mcpxJ8dTMWLSeDHjQvgDN7PGf5sJb4
                 */
                before?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Shown"];
            400: components["responses"]["BadLink"];
            410: components["responses"]["Ended"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Unavailable"];
        };
    };
    leavePortal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Opaque bearer handle that grants access to the customer's session until the session ends.
                 * @example 4f1d0a9be2c87356.Vt4bFhXl0cS2k9mYpQ7rZ1nE6uJ8wD3aGxHiLoTsBqM
                 */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The visit has ended. Redirects to the confirmation page. */
            303: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "Cache-Control": components["headers"]["NotKept"];
                    "Referrer-Policy": components["headers"]["NotPassedOn"];
                    "Content-Security-Policy": components["headers"]["ContentPolicy"];
                    "X-Content-Type-Options": components["headers"]["NotGuessed"];
                    Location: components["headers"]["EndAddress"];
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
