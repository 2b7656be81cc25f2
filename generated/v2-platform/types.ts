/* Written by `npm run generate` from openapi/. Do not edit. */
export interface paths {
    "/api/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the catalogue, page by page
         * @description Works like `listRewards`, with the same items, filter and pagination. Send each page's `next_cursor` until `has_more` is false.
         */
        get: operations["listCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points for one or more rewards
         * @description Works like `createRedemptionOrder`, with `customer_id` instead of `uid`: each line becomes one redemption, and the
         *     platform places all lines or none. It responds after the client has deducted the points of every line through
         *     `redeemPoints`. Read the final status from `getOrderStatus`; the platform returns the points of a failed line
         *     through `reversePoints`. The platform does not request the customer's profile, and does not forward `email` and
         *     `mobile_no`: `redeemPoints` has no fields for them.
         *
         *     With a customer token or the customer's JWT, the order is for that customer. With a company token, it is for the
         *     `customer_id` in the body.
         *
         *     Send an `Idempotency-Key`, so that a call repeated after a lost response returns the same order.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return an order and the status of its lines
         * @description Identify the order by its `order_id`, by the `redeem_code` of one of its lines, or by both. The response is always the whole order, whichever API placed it. With a customer token or the JWT, only that customer's orders can be read; any other order returns 404, as does an order that was not placed.
         */
        get: operations["getOrderStatus"];
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
        OrderRequest: components["schemas"]["OrderFields"] & {
            customer_id: components["schemas"]["Uid"];
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
        CataloguePage: {
            items: components["schemas"]["CatalogueItem"][];
            /** @description Opaque cursor of the next page, to send as `cursor` (A8); null on the last page. */
            next_cursor: string | null;
            /** @description Whether another page follows. */
            has_more: boolean;
        };
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
        /** @description Unique id of the customer. */
        Uid: string;
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
        /** @description Nothing exists under this id. */
        NotFound: {
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
         * @description `egv` lists only items of `product_type` EGV, `physical` only those of PHYSICAL. Omit the parameter for all items (A6).
         * @example egv
         */
        CatalogueType: "egv" | "physical";
        /**
         * @description Number of items on a page.
         * @example 50
         */
        Limit: number;
        /**
         * @description The `next_cursor` of the previous page, unchanged. Omit the parameter for the first page. An empty cursor and this example are refused with code 51: a cursor is valid for its own filter only, for 24 hours at least (OP-12).
         * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
         */
        Cursor: string;
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
         * @description Identifies this exact page. Send the value in `If-None-Match`: while the page is unchanged, the response is a 304 without a body (RFC 9110, 8.8.3).
         * @example "jP1lmHq0n6xk0Z3yq9dW5rFvC2A"
         */
        EntityTag: string;
        /**
         * @description The authentication scheme to use and the reason for the refusal. Without a credential, `Bearer` and a realm (RFC 6750, 3.1).
         * @example Bearer error="invalid_token"
         */
        BearerChallenge: string;
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
        /**
         * @description The magic values in the call, if any, with a link to their documentation.
         * @example magic value MAGIC-ZERO, see docs/magic-values.md#magic-zero
         */
        MagicValue: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCatalog: {
        parameters: {
            query?: {
                /**
                 * @description `egv` lists only items of `product_type` EGV, `physical` only those of PHYSICAL. Omit the parameter for all items (A6).
                 * @example egv
                 */
                type?: components["parameters"]["CatalogueType"];
                /**
                 * @description Number of items on a page.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the previous page, unchanged. Omit the parameter for the first page. An empty cursor and this example are refused with code 51: a cursor is valid for its own filter only, for 24 hours at least (OP-12).
                 * @example eyJhIjoiMDAwMDAwMDAwMDUwIn0.k3Jw1S0mB0y0t2l1Rkx4bQ
                 */
                cursor?: components["parameters"]["Cursor"];
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
                    "application/json": components["schemas"]["CataloguePage"];
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
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
    createOrder: {
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
                "application/json": components["schemas"]["OrderRequest"];
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
    getOrderStatus: {
        parameters: {
            query?: {
                /**
                 * @description The id from the response to the order.
                 * @example ORD-000002-1C8E
                 */
                order_id?: string;
                /**
                 * @description The `redeemCode` of any line of the order.
                 * @example RDM-000003-Q8WZ5H
                 */
                redeem_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the order. */
            200: {
                headers: {
                    "X-Trace-Id": components["headers"]["TraceId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The call names neither an order nor a redemption. */
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
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["ClientDidNotAnswer"];
            503: components["responses"]["Unavailable"];
        };
    };
}
