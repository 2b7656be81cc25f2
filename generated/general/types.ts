/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange user name and password for a token
         * @description The token grants access to the rest of this API until it expires. It cannot be refreshed; log in again instead. The platform asks the client whether a user exists. An unknown user and a wrong password receive the same response.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return the signed-in user's profile and points
         * @description The platform stores no profiles: for every call, it requests the profile from the client. If the client refuses or does not respond, the call returns 422 or 502.
         */
        get: operations["getUserProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products by page number
         * @description Returns the catalogue in numbered pages. To copy the whole catalogue, use `listRewards`: items added or removed between calls shift numbered pages but not its cursors. A page after the last one is empty. Unknown query parameters are ignored.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points for one or more products
         * @description Works like `createRedemptionOrder` for the customer of the token: each line becomes one redemption, and the
         *     platform places all lines or none. It responds after the client has deducted the points of every line.
         *
         *     Send an `Idempotency-Key`, so that a call repeated after a lost response returns the same order.
         */
        post: operations["createProductOrder"];
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
        Login: {
            /** @description The `uid` of the customer. */
            username: string;
            /**
             * Format: password
             * @description The password of the workspace.
             */
            password: string;
        };
        AccessToken: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Lifetime of the token in seconds. */
            expires_in: number;
        };
        ProductPage: {
            items: components["schemas"]["CatalogueItem"][];
            /** @description Number of this page. */
            page: number;
            /** @description Maximum number of items on a page. */
            limit: number;
            /** @description Number of matching items on all pages. */
            total: number;
            /** @description Number of pages; 0 if nothing matches. */
            total_pages: number;
        };
        /** @description The profile of a customer. */
        Profile: {
            uid: string;
            name: string;
            /** @description May be empty. */
            email: string;
            mobileNo: string;
            /**
             * @description A date in the form day/month/year.
             * @example 14/08/1991
             */
            dob: string;
            address1: string;
            address2: string;
            city: string;
            /** @description Indian postal code. */
            pincode: number;
            /** @description State code. In the sandbox, it is the GST state code: 29 is Karnataka (OP-235). */
            state: number;
            cus_type: string;
            partnerType: string;
            /** @description Permanent account number. */
            pan: string;
            panVerifiedStatus: string;
            /** @description May be empty. In the sandbox, it is a day/month/year date (OP-235). */
            mdate: string;
            projectCode: string;
            projectName: string;
            projectId: number;
        };
        /** @description Points of a customer. `balance` is `totalEarned` minus `totalRedeemed` (OP-235). */
        Points: {
            /** Format: int64 */
            totalEarned: number;
            /** Format: int64 */
            balance: number;
            /** Format: int64 */
            totalRedeemed: number;
        };
        ProfileAndPoints: {
            profile: components["schemas"]["Profile"];
            points: components["schemas"]["Points"];
        };
        /**
         * @description 1: can be ordered; 0: inactive; 2: out of stock. Listings contain items of all statuses.
         * @enum {integer}
         */
        ItemStatus: 0 | 1 | 2;
        /** @description A price in INR as decimal text with at most two decimals. */
        PriceInInr: string;
        /** @description A number, written as text. */
        NumberText: string;
        /** @description A whole number written as text, without sign, leading zero, exponent or decimals. */
        NumericText: string;
        EgvFields: {
            /** @description Id of the record. */
            id: number;
            /** @constant */
            product_type: "EGV";
            /** @description The exact SKU to send in an entry of `line_items` (R3). */
            sku_code: string;
            status: components["schemas"]["ItemStatus"];
            /** @description Name to show. */
            skus: string;
            /** @description Price of the voucher. It is in INR, with two decimals if it has paise (OP-134). */
            denomination_value: components["schemas"]["PriceInInr"] & components["schemas"]["NumberText"];
            /** @description Stock level for a restock warning at the platform. It does not limit orders. */
            qty_trigger_limit: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
            /** @description Quantity. It is the number of vouchers in stock (OP-49). */
            qty: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
        };
        /** @description An e-gift voucher. */
        EgvItem: components["schemas"]["EgvFields"];
        PhysicalFields: {
            /** @description Id of the record. */
            id: number;
            /** @constant */
            product_type: "PHYSICAL";
            /** @description The exact SKU to send in an entry of `line_items` (R3). */
            sku_code: string;
            status: components["schemas"]["ItemStatus"];
            /** @description Name to show. */
            skus: string;
            /** @description Price of the product. It is in INR, with two decimals if it has paise (OP-134). */
            price: components["schemas"]["PriceInInr"] & components["schemas"]["NumberText"];
            /** @description Number of units in stock. */
            stock_qty: components["schemas"]["NumericText"] & components["schemas"]["NumberText"];
        };
        /** @description A physical product. */
        PhysicalItem: components["schemas"]["PhysicalFields"];
        /** @description A catalogue item: one of type EGV (R4) or one of type PHYSICAL (R5). */
        CatalogueItem: components["schemas"]["EgvItem"] | components["schemas"]["PhysicalItem"];
        LineInput: {
            /** @description The `sku_code` of a catalogue item (A13). */
            sku: string;
            /** @description Number of units. */
            quantity: number;
        };
        /** @description The fields that every order accepts, in all APIs. */
        OrderFields: {
            line_items: components["schemas"]["LineInput"][];
            /** @description Delivery address, not blank; required if a line is PHYSICAL */
            shipping_address?: string;
            /** @description Email address with text on both sides of one @; defaults to the one in the customer's profile */
            email?: string;
            /** @description 6 to 15 digits, optionally with a leading + and single spaces or hyphens; defaults to the number in the customer's profile */
            mobile_no?: string;
            /** @description Your own id for the order, included in responses. Must be unique among placed orders. */
            reference_id?: string;
        };
        /** @enum {string} */
        OrderStatus: "Pending" | "Delivered" | "Rejected";
        /**
         * Format: int64
         * @description A number of points, never negative.
         */
        WholePoints: number;
        OrderPoints: {
            /** @description Points of one unit times the quantity. */
            redeemPoints: components["schemas"]["WholePoints"];
            /** @description TDS of all units: `tdsSingleItem` of the redemption record times the quantity. */
            tdsPoints: components["schemas"]["WholePoints"];
            processingFee: components["schemas"]["WholePoints"];
            /** @description The sum of `redeemPoints`, `tdsPoints` and `processingFee`. The client deducts this sum and returns it after a rejection. */
            totalPointWithProcessingFee: components["schemas"]["WholePoints"];
        };
        OrderLine: {
            /** @description The code that identifies this line on both sides. */
            redeemCode: string;
            sku_code: string;
            /** @enum {string} */
            product_type: "EGV" | "PHYSICAL";
            product_name: string;
            quantity: number;
            points: components["schemas"]["OrderPoints"];
            status: components["schemas"]["OrderStatus"];
            /** @description The reason for a rejection, otherwise empty. */
            remark: string;
        };
        /**
         * Format: date-time
         * @description A time on the sandbox clock, in UTC.
         */
        Timestamp: string;
        /** @description An order and its lines. It is Pending while any line is Pending, Rejected if every line is Rejected, and otherwise Delivered. */
        Order: {
            order_id: string;
            /** @description Your own id; null if you sent no id. */
            reference_id: string | null;
            status: components["schemas"]["OrderStatus"];
            lines: components["schemas"]["OrderLine"][];
            points: components["schemas"]["OrderPoints"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The error. Branch on `code` (OP-13), not on `type` (OP-14). */
        FlatError: {
            /** @description The reason phrase of the status. */
            name: string;
            /** @description The error and its location. */
            message: string;
            /** @description 50 for an invalid `type`, 51 for an invalid or expired `cursor` (X6, X7). Other errors have codes of this sandbox (OP-13). */
            code: number;
            /** @description The HTTP status. */
            status: number;
            /** @description Class name of the server's exception. */
            type: string;
        };
    };
    responses: {
        /** @description The page matches `If-None-Match`. The response has no body. */
        NotModified: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["EntityTag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A part of the request is missing or malformed. */
        BadRequest: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The calling server is not on the allowlist. */
        Forbidden: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The workspace has reached its data limit. */
        WorkspaceFull: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The content type is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The hourly quota is used up. */
        RateLimited: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The server failed. */
        InternalError: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The client was unreachable, or its response was invalid. */
        ClientDidNotAnswer: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "X-Problem": components["headers"]["ClientProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The server cannot accept the call now. */
        Unavailable: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The request headers cannot be read. */
        BadHead: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The token is missing or not valid for this operation. */
        Unauthorized: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "WWW-Authenticate": components["headers"]["BearerChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The client refused the call. */
        RefusedByClient: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                "X-Problem": components["headers"]["MagicValue"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
        /** @description The idempotency key was used with another body, another order has the `reference_id`, or the workspace is full. */
        OrderConflict: {
            headers: {
                "X-Trace-Id": components["headers"]["TraceId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FlatError"];
            };
        };
    };
    parameters: {
        /**
         * @description Number of items on a page.
         * @example 50
         */
        Limit: number;
        /**
         * @description `egv` lists only items of `product_type` EGV, `physical` only those of PHYSICAL. Omit the parameter for all items (A6).
         * @example egv
         */
        CatalogueType: "egv" | "physical";
        /**
         * @description A key of your choice, unique to this order, payment or registration, such as a UUID. Repeating the call with the same key and body returns the first response byte for byte and has no further effect; another body is refused with code 58.
         * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` values of pages that you have, separated by commas, or `*`. If the page matches one of them, the response is a 304 without a body. Other values are ignored.
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this call in the activity log. Include it in support requests. If you send a W3C `traceparent` header, this is its trace id.
         * @example 4bf92f3577b34da6a3ce929d0e0e4736
         */
        TraceId: string;
        /**
         * @description Remaining quota, and seconds until one more request is available (IETF draft).
         * @example "hour";r=0;t=42
         */
        RateLimit: string;
        /**
         * @description The quota and its window in seconds (IETF draft).
         * @example "hour";q=1000;w=3600
         */
        RateLimitPolicy: string;
        /**
         * @description Caches must not store this response, because it contains a credential (RFC 6749, 5.1).
         * @example no-store
         */
        NotKept: "no-store";
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
        /**
         * @description The authentication scheme to use and the reason for the refusal. Without a credential, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
        /**
         * @description The magic values in the call, if any, with a link to their documentation.
         * @example magic value MAGIC-ZERO, see docs/magic-values.md#magic-zero
         */
        MagicValue: string;
        /**
         * @description Identifies this exact page. Send the value in `If-None-Match`: while the page is unchanged, the response is a 304 without a body (RFC 9110, 8.8.3).
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        EntityTag: string;
        /** @description `true` if this is the stored response to an earlier call with the same `Idempotency-Key`. */
        IdempotentReplay: "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description An access token. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["NotKept"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The user name or the password is wrong. */
            401: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            403: components["responses"]["Forbidden"];
            409: components["responses"]["WorkspaceFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUserProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's profile and points from the client. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileAndPoints"];
                };
            };
            400: components["responses"]["BadHead"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["RefusedByClient"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting at 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Number of items on a page.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description `egv` lists only items of `product_type` EGV, `physical` only those of PHYSICAL. Omit the parameter for all items (A6).
                 * @example egv
                 */
                type?: components["parameters"]["CatalogueType"];
                /**
                 * @description Words that must all occur in the name or SKU, ignoring case. An empty string matches everything.
                 * @example voucher
                 */
                q?: string;
            };
            header?: {
                /**
                 * @description The `ETag` values of pages that you have, separated by commas, or `*`. If the page matches one of them, the response is a 304 without a body. Other values are ignored.
                 * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the catalogue. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["EntityTag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description A query parameter is invalid. */
            400: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProductOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your choice, unique to this order, payment or registration, such as a UUID. Repeating the call with the same key and body returns the first response byte for byte and has no further effect; another body is refused with code 58.
                 * @example 7d0c5d9a-5e0f-4c6b-8a53-0f1a4be7f0f2
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderFields"];
            };
        };
        responses: {
            /** @description The order is placed and its points are deducted. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["OrderConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description No order is placed, and no points are deducted. */
            422: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    "X-Problem": components["headers"]["MagicValue"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlatError"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
}
